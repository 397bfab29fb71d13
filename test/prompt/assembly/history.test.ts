import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Assembled } from "../../../src/prompt/assemble.ts";
import { createHistory, type PromptMessage } from "../../../src/prompt/history.ts";
import { converse, deploy } from "./fixture.ts";

const assembled = (text: string, context?: string): Assembled => ({ text, context, parts: [], warnings: [] });
const cleared = "Current instructions: none. Earlier instructions no longer apply.";

describe("the prompt of a conversation", () => {
  it("P11 stays byte for byte, and the same objects, as long as nothing changes", async () => {
    const { deployment } = deploy();
    deployment.section({ name: "plan", order: 10, text: "Plan." });
    const next = await converse(deployment);
    const first = await next();
    const second = await next();
    expect(first.appended).toEqual([{ kind: "instructions", text: "Plan." }]);
    expect(second.appended).toEqual([]);
    expect(second.messages).toBe(first.messages);
    expect(first.messages).toEqual(first.appended);
  });

  it("P11 has a changed text added as a later message, in every scope that shares what changed, from its next assembly", async () => {
    const { deployment } = deploy();
    const old = deployment.section({ name: "plan", order: 10, text: "Plan." });
    const scopes = [deployment, deployment.scope("a"), deployment.scope("b")];
    const conversations = await Promise.all(scopes.map(converse));
    for (const next of conversations) await next();
    old[Symbol.dispose]();
    deployment.section({ name: "plan", order: 10, text: "Plan well." });
    for (const next of conversations) {
      const { text, messages, appended } = await next();
      expect(text).toBe("Plan well.");
      expect(messages.map((message) => message.text)).toEqual(["Plan.", "Plan well."]);
      expect(appended).toEqual(messages.slice(1));
    }
  });

  it("P11 without any text has a clearing mark added, and carries no instruction message until there is text again", async () => {
    const { deployment } = deploy();
    const section = deployment.section({ name: "plan", order: 10, text: "Plan." });
    deployment.context({ name: "state", text: "here" });
    const next = await converse(deployment);
    const context = (await next()).messages[1];
    section[Symbol.dispose]();
    const mark = { kind: "cleared", text: cleared };
    expect(await next()).toMatchObject({ text: "", messages: [context, mark], appended: [mark] });
    expect(await next()).toMatchObject({ messages: [context, mark], appended: [] });
    deployment.section({ name: "plan", order: 10, text: "Plan." });
    const again = { kind: "instructions", text: "Plan." };
    expect(await next()).toMatchObject({ text: "Plan.", messages: [context, mark, again], appended: [again] });
  });

  it("P11 takes requests that are built at once in the order in which they began", async () => {
    const { deployment } = deploy();
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let asked = 0;
    deployment.section({ name: "slow", order: 10, text: () => answers[asked++]?.promise });
    const next = await converse(deployment);
    const prompts = [next(), next(), next()];
    answers[2]?.resolve("third");
    answers[1]?.reject(new Error("second"));
    await expect(prompts[1]).rejects.toThrow("second");
    answers[0]?.resolve("first");
    expect((await prompts[0])?.messages.map(({ text }) => text)).toEqual(["first"]);
    expect((await prompts[2])?.messages.map(({ text }) => text)).toEqual(["first", "third"]);
  });

  it("P11 P7 for any course of texts and contexts: earlier messages stay, and the last ones of a kind say what holds", () => {
    const texts = fc.constantFrom("", "one", "two", "three");
    const contexts = fc.constantFrom(undefined, "here", "there");
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, contexts), { maxLength: 30 }), (requests) => {
        const history = createHistory();
        let sent: readonly PromptMessage[] = [];
        let before: Assembled = assembled("");
        for (const [text, context] of requests) {
          const { messages, appended } = history.next(assembled(text, context));
          const expected = [
            ...(text === before.text ? [] : [text === "" ? `cleared ${cleared}` : `instructions ${text}`]),
            ...(context === before.context ? [] : [`context ${context ?? noContext}`]),
          ];
          expect(appended.map((message) => `${message.kind} ${message.text}`)).toEqual(expected);
          const kept = text === "" ? sent.filter(({ kind }) => kind !== "instructions") : sent;
          expect(messages).toEqual([...kept, ...appended]);
          expect(messages.findLast(({ kind }) => kind === "instructions")?.text ?? "").toBe(text);
          expect(messages.findLast(({ kind }) => kind === "context")?.text).toBe(
            context ?? (messages.some(({ kind }) => kind === "context") ? noContext : undefined),
          );
          sent = messages;
          before = assembled(text, context);
        }
      }),
    );
  });
});

const noContext = "Current runtime context: none. Earlier runtime-context snapshots no longer apply.";
