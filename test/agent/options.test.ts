import { describe, expect, it } from "vitest";
import { createDeployment, type RunEvent } from "../../src/index.ts";
import { echo, tool, useRuntime } from "./fixture.ts";

const runtime = useRuntime();

describe("what a host gets wrong", () => {
  it.each<[string, (agent: Awaited<ReturnType<typeof runtime.agent>>) => unknown]>([
    [
      'agent.session has no option "tennant"; there are tenant, identity, services, workspace, confirmationGated, budget, approvals',
      (agent) => agent.session("x", { tennant: "acme" } as object),
    ],
    ['the id of a session must be text that is not empty, got ""', (agent) => agent.session("")],
    ['the tenant of a session must be text that is not empty, got ""', (agent) => agent.session("x", { tenant: "" })],
    ["option tenant of agent.session must be text, got 5", (agent) => agent.session("x", { tenant: 5 } as object)],
    ["a program is text, got undefined", (agent) => agent.run(undefined as unknown as string)],
    ["option signal of the call must be an AbortSignal, got 1", (agent) => agent.run("1", { signal: 1 } as object)],
    ["option ask of the call must be a function, got 5", (agent) => agent.run("1", { ask: 5 } as object)],
    ['the name of a tool must be text that is not empty, got ""', (agent) => agent.call("")],
    ['the call has no option "chek"; there are signal, ask', (agent) => agent.call("echo", {}, { chek: 1 } as object)],
    [
      "dispatch takes a list of calls, got an object",
      async (agent) => (await agent.session("x")).turn().dispatch({} as never),
    ],
    [
      "the id of call 1 must be text that is not empty, got undefined",
      async (agent) => (await agent.session("x")).turn().dispatch([{ name: "echo" } as never]),
    ],
    [
      'session.turn has no option "modle"; there are model, workingFolder, text, activity, confirmationGated, budget, signal',
      async (agent) => (await agent.session("x")).turn({ modle: "m" } as object),
    ],
  ])("F6 C13 is told: %s", async (message, misuse) => {
    const agent = await runtime.agent([echo]);
    await expect((async () => misuse(agent))()).rejects.toMatchObject({
      name: "Fault",
      code: "invalid_options",
      message,
    });
  });

  it("C6 X12 X15 a turn that is disposed stops what runs in it, and its events end after that", async () => {
    const agent = await runtime.agent([
      tool(
        "hang",
        (_args, { signal }) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
      ),
    ]);
    await using session = await agent.session("chat");
    const turn = session.turn();
    const events: RunEvent["type"][] = [];
    const call = turn.call("hang");
    const run = turn.run("await tools.hang({})");
    for await (const event of turn.events) {
      events.push(event.type);
      if (event.type === "call.started") turn[Symbol.dispose]();
    }
    expect(await call).toMatchObject({ status: "cancelled", error: { code: "call_aborted" } });
    expect(await run).toMatchObject({ status: "cancelled", error: { code: "aborted", message: "the turn is over" } });
    expect(events.at(-1)).toBe("program.ended");
    await expect(turn.call("hang")).rejects.toThrow("the turn is over; open another one with session.turn()");
  });

  it("G4 a person's reason reaches the model, and a policy may answer with a word", async () => {
    const deployment = createDeployment();
    deployment.tool(echo);
    deployment.policy(() => "ask");
    const agent = await deployment.agent("test", { form: "direct" });
    const message = async (answer: unknown): Promise<unknown> => {
      const outcome = await agent.call("echo", {}, { ask: () => answer });
      return "error" in outcome ? outcome.error.message : outcome.value;
    };
    expect(await message("too much")).toBe("a person denied the call: too much");
    expect(await message("deny")).toBe("a person denied the call");
    expect(await message(false)).toBe("a person denied the call");
    expect(await message("allow")).toEqual({});
  });

  it("C10 X8 a long result of a direct call is shortened in the same shape, and says so", async () => {
    const deployment = createDeployment();
    deployment.tool(tool("list", () => ({ items: Array.from({ length: 500 }, (_, n) => n) }), { effects: ["read"] }));
    const agent = await deployment.agent("test", { form: "direct" });
    await using session = await agent.session("chat");
    const { results } = await session.turn().dispatch([{ id: "1", name: "list", input: {} }], { maxTokens: 25 });
    const [json = "", note] = results[0]?.content.split("\n") ?? [];
    const kept = (JSON.parse(json) as { items: number[] }).items.length;
    expect(json.length).toBeLessThanOrEqual(100);
    expect(note).toBe(`(shortened from 1901 bytes: $.items shows ${kept} of 500)`);
  });

  it("Q4 C7 one call of a response that is no JSON costs the others nothing", async () => {
    const deployment = createDeployment();
    deployment.tool(echo);
    const agent = await deployment.agent("test", { form: "direct" });
    await using session = await agent.session("chat");
    using turn = session.turn();
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const { results } = await turn.dispatch([
      { id: "1", name: "echo", input: { a: 1 } },
      { id: "2", name: "echo", input: cycle },
    ]);
    expect(results.map(({ content }) => content)).toEqual([
      '{"a":1}',
      "the arguments of echo are not JSON: $.self refers back to $; JSON cannot hold a cycle [arguments_not_json]",
    ]);
    expect(await turn.call("echo", { n: Number.NaN })).toMatchObject({
      status: "refused",
      error: { code: "arguments_not_json" },
    });
  });

  it("C6 X19 a session that is disposed waits for what it stopped, and keeps its record", async () => {
    const agent = await runtime.agent([tool("hang", () => new Promise(() => undefined)), echo]);
    const session = await agent.session("chat");
    const turn = session.turn();
    const run = turn.run("await tools.echo({}); await tools.hang({})");
    for await (const event of turn.events) if (event.type === "call.started" && turn.record().length > 1) break;
    await session[Symbol.asyncDispose]();
    expect(session.record().map(({ tool: name, status }) => [name, status])).toEqual([
      ["echo", "ok"],
      ["hang", "unknown"],
    ]);
    expect(await run).toMatchObject({ status: "cancelled" });
  });

  it("C11 the clocks keep the last span of a program that was stopped", async () => {
    const agent = await runtime.agent([
      tool("hang", (_args, { signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve))),
    ]);
    const ask = async (code: string, ms: number) => (await agent.run(code, { signal: AbortSignal.timeout(ms) })).usage;
    const waiting = await ask("await tools.hang({})", 500);
    expect(waiting.idleMs).toBeGreaterThan(waiting.cpuMs);
    const computing = await ask("for (;;) {}", 500);
    expect(computing.cpuMs).toBeGreaterThan(computing.idleMs);
  });

  it("S10 X3 programs and models see the tools that are meant for them", async () => {
    const deployment = createDeployment();
    deployment.tool({ ...echo, name: "for_models", callers: ["direct"] });
    deployment.tool({ ...echo, name: "for_programs", callers: ["code"] });
    const agent = await deployment.agent("test", { form: "both", runtime: runtime.runtime });
    const { tools, declarations } = agent.surface();
    expect(tools.map(({ name }) => name)).toEqual(["for_models"]);
    expect([declarations.includes("for_programs"), declarations.includes("for_models")]).toEqual([true, false]);
    expect(await agent.run("return [Object.keys(tools), await tools.for_programs({ a: 1 })]")).toMatchObject({
      value: [["for_programs"], { a: 1 }],
    });
  });
});
