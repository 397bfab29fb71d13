import { describe, expect, it, vi } from "vitest";
import { deploy } from "./fixture.ts";

describe("the prompt of a surface", () => {
  it("P1 is assembled when it is first read, once for each surface that was asked for", async () => {
    const { deployment } = deploy();
    const text = vi.fn<(request: { turn: number }) => string>(({ turn }) => `turn ${turn}`);
    deployment.section({ name: "plan", order: 10, text });
    const agent = await deployment.agent("agent");
    const session = await agent.session("chat");
    const turn = session.turn();
    const surface = turn.surface();
    expect(text).not.toHaveBeenCalled();
    expect(await surface.prompt).toBe(await surface.prompt);
    expect(text).toHaveBeenCalledTimes(1);
    expect((await turn.surface().prompt).appended).toEqual([]);
    expect(text).toHaveBeenCalledTimes(2);
    expect((await session.turn().surface().prompt).messages.map((message) => message.text)).toEqual([
      "turn 1",
      "turn 2",
    ]);
    expect(Object.isFrozen(surface)).toBe(true);
  });

  it("P1 of an agent is that of an anonymous session's only turn", async () => {
    const { deployment } = deploy();
    deployment.section({
      name: "plan",
      order: 10,
      text: ({ session, turn, tenant }) => `${session} ${turn} ${tenant}`,
    });
    const agent = await deployment.agent("agent");
    const texts = [await agent.surface().prompt, await agent.surface().prompt].map(({ text }) => text);
    for (const text of texts) expect(text).toMatch(/^anonymous_[0-9a-f-]{36} 1 default$/);
    expect(texts[0]).not.toBe(texts[1]);
  });

  it("P1 that is refused disturbs nobody who does not wait for it", async () => {
    const { deployment } = deploy();
    deployment.section({ name: "plan", order: Number.NaN, text: "Plan." });
    const agent = await deployment.agent("agent");
    const surface = agent.surface();
    void surface.prompt;
    await new Promise(setImmediate);
    expect(surface.tools).toEqual([]);
    await expect(surface.prompt).rejects.toThrow("order must be a finite number");
  });

  it("P1 is refused once its turn or session is over, and ends with it while it is being made", async () => {
    const { deployment } = deploy();
    const asked = Promise.withResolvers<void>();
    const silence = Promise.withResolvers<string>();
    deployment.section({
      name: "plan",
      order: 10,
      text() {
        asked.resolve();
        return silence.promise;
      },
    });
    const agent = await deployment.agent("agent");
    const session = await agent.session("chat");
    const turn = session.turn();
    const waiting = turn.surface().prompt;
    await asked.promise;
    await session[Symbol.asyncDispose]();
    await expect(waiting).rejects.toMatchObject({ code: "session_closed", message: 'session "chat" is closed' });
    await expect(turn.surface().prompt).rejects.toMatchObject({ code: "session_closed" });
  });

  it("S6 P1 ends with its scope", async () => {
    const { deployment } = deploy();
    const narrow = deployment.scope("narrow");
    const silence = Promise.withResolvers<string>();
    narrow.section({ name: "plan", order: 10, text: () => silence.promise });
    const agent = await narrow.agent("agent");
    const waiting = agent.surface().prompt;
    narrow[Symbol.dispose]();
    await expect(waiting).rejects.toMatchObject({ code: "scope_disposed" });
  });
});
