import { describe, expect, it, vi } from "vitest";
import { converse, deploy, promptOf, whenLate } from "./fixture.ts";

const heading = "Current runtime context. This snapshot supersedes earlier runtime-context snapshots.";
const none = "Current runtime context: none. Earlier runtime-context snapshots no longer apply.";

describe("the runtime context", () => {
  it("P7 is a message of its own, on by default, made of what each feeder says now", async () => {
    const { deployment } = deploy();
    deployment.section({ name: "plan", order: 10, text: "Plan." });
    deployment.context({ name: "time", text: async ({ turn }) => `It is turn ${turn}.\n` });
    deployment.context({ name: "silent", text: () => undefined });
    deployment.context({ name: "blank", text: " \n" });
    deployment.context({ name: "user", text: ({ tenant }) => `The user is of ${tenant}.` });
    const { text, context, messages } = await promptOf(deployment);
    expect(text).toBe("Plan.");
    expect(context).toBe(`${heading}\n\nIt is turn 1.\n\nThe user is of acme.`);
    expect(messages).toEqual([
      { kind: "instructions", text: "Plan." },
      { kind: "context", text: context },
    ]);
  });

  it("P7 is appended only when it changed, and says once that it is none when all was cleared", async () => {
    const { deployment } = deploy();
    const said: (string | undefined)[] = ["one", "one", "two", undefined, undefined, "two"];
    deployment.context({ name: "state", text: () => said.shift() });
    const next = await converse(deployment);
    const appended: unknown[] = [];
    for (let request = 0; request < 6; request += 1) appended.push((await next()).appended.map(({ text }) => text));
    const [one, two] = [`${heading}\n\none`, `${heading}\n\ntwo`];
    expect(appended).toEqual([[one], [], [two], [none], [], [two]]);
    expect((await next()).messages.map(({ kind, text }) => [kind, text])).toEqual(
      [one, two, none, two, none].map((text) => ["context", text]),
    );
  });

  it("P7 says nothing where there never was one", async () => {
    const { deployment } = deploy();
    deployment.context({ name: "silent", text: () => undefined });
    expect((await promptOf(deployment)).messages).toEqual([]);
  });

  it("P7 is left out of the assemblies of a scope that turns it off, and nowhere else, as long as it does", async () => {
    const { deployment } = deploy();
    deployment.context({ name: "state", text: "on" });
    const narrow = deployment.scope("narrow");
    const inner = narrow.scope("inner");
    inner.context({ name: "more", text: "here" });
    const next = await converse(inner);
    const on = `${heading}\n\non\n\nhere`;
    expect((await next()).context).toBe(on);
    const off = narrow.runtimeContext(false);
    expect((await promptOf(narrow)).context).toBeUndefined();
    expect(await next()).toMatchObject({ context: undefined, appended: [{ kind: "context", text: none }] });
    expect((await promptOf(deployment)).context).toBe(`${heading}\n\non`);
    off[Symbol.dispose]();
    expect(await next()).toMatchObject({ context: on, appended: [{ kind: "context", text: on }] });
  });

  it("P7 of a deployment that turned it off has no feeder that runs, in any scope", async () => {
    const { deployment } = deploy();
    const feeder = vi.fn<() => string>(() => "fed");
    deployment.context({ name: "wide", text: feeder });
    const narrow = deployment.scope("narrow");
    narrow.context({ name: "narrow", text: feeder });
    const off = deployment.runtimeContext(false);
    expect((await promptOf(narrow)).context).toBeUndefined();
    expect(feeder).not.toHaveBeenCalled();
    off[Symbol.dispose]();
    expect((await promptOf(narrow)).context).toBe(`${heading}\n\nfed\n\nfed`);
  });

  it("P7 has a feeder replaced by name in a narrower scope, and taken away with its scope", async () => {
    const { deployment } = deploy();
    deployment.context({ name: "state", text: "wide" });
    const narrow = deployment.scope("narrow");
    narrow.context({ name: "state", text: "narrow" });
    expect((await promptOf(narrow)).context).toBe(`${heading}\n\nnarrow`);
    narrow[Symbol.dispose]();
    expect((await promptOf(deployment)).context).toBe(`${heading}\n\nwide`);
  });

  it("P7 refuses the assembly where a feeder fails, and names it; the conversation goes on as if it had not been", async () => {
    const { deployment } = deploy();
    const said = [
      () => "one",
      () => {
        throw new Error("no clock");
      },
      () => "one",
    ];
    deployment.context({ name: "time", text: () => said.shift()?.() });
    const next = await converse(deployment);
    await next();
    await expect(next()).rejects.toMatchObject({
      code: "prompt_failed",
      message: 'runtime context "time" failed: no clock',
    });
    expect((await next()).appended).toEqual([]);
  });

  it("P7 refuses the assembly where a feeder never answers, and names it", async () => {
    const { deployment } = deploy();
    deployment.context({ name: "time", text: () => new Promise<string>(() => undefined) });
    expect(await whenLate(deployment)).toMatchObject({
      refused: { code: "prompt_failed", message: 'runtime context "time" did not answer within 5000 ms' },
      timers: 0,
    });
  });
});
