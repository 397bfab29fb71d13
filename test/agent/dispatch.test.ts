import { describe, expect, it } from "vitest";
import { type AnyTool, createDeployment, type Form } from "../../src/index.ts";
import { echo, tool, useRuntime } from "./fixture.ts";

const runtime = useRuntime();

async function dispatch(form: Form, tools: readonly AnyTool[], uses: readonly { name: string; input: unknown }[]) {
  const deployment = createDeployment();
  for (const each of tools) deployment.tool(each);
  const agent = await deployment.agent("test", { form, runtime: runtime.runtime });
  await using session = await agent.session("chat", { tenant: "acme" });
  using turn = session.turn();
  const { results } = await turn.dispatch(uses.map((use, index) => ({ id: `use_${index}`, ...use })));
  return { results, record: turn.record() };
}

describe("what a model emits", () => {
  it("Q4 J1 several direct calls come back in one block in the order of the calls", async () => {
    const slow = tool("slow", async () => (await new Promise((resolve) => setTimeout(resolve, 10)), "slow"), {
      parallelSafe: true,
      effects: ["read"],
    });
    const { results, record } = await dispatch(
      "direct",
      [echo, slow],
      [
        { name: "slow", input: {} },
        { name: "echo", input: { a: 1 } },
        { name: "missing", input: {} },
      ],
    );
    expect(results.map(({ id, isError, content }) => ({ id, isError, content }))).toEqual([
      { id: "use_0", isError: false, content: '"slow"' },
      { id: "use_1", isError: false, content: '{"a":1}' },
      {
        id: "use_2",
        isError: true,
        content: 'no tool "missing" is offered here [tool_not_offered]\nHint: the tools are echo, slow',
      },
    ]);
    expect(record.map(({ tool: name, caller, tenant }) => [name, caller, tenant])).toEqual([
      ["slow", "model", "acme"],
      ["echo", "model", "acme"],
      ["missing", "model", "acme"],
    ]);
  });

  it("F1 F2 G13 in code form only the code tool can be called directly; nothing else runs, and each is recorded", async () => {
    let ran = 0;
    const { results, record } = await dispatch(
      "code",
      [tool("act", () => (ran += 1))],
      [
        { name: "act", input: {} },
        { name: "unknown", input: {} },
        { name: "run_program", input: { code: "return await tools.act({})" } },
      ],
    );
    expect(results.map(({ isError, content }) => [isError, content.split("\n")[0]])).toEqual([
      [
        true,
        "only run_program can be called directly here; reach other tools from inside a program [direct_call_refused]",
      ],
      [
        true,
        "only run_program can be called directly here; reach other tools from inside a program [direct_call_refused]",
      ],
      [false, "Completed. Value:"],
    ]);
    expect(ran).toBe(1);
    const code = "direct_call_refused";
    const sentence = "only run_program can be called directly here; reach other tools from inside a program";
    expect(results.slice(0, 2).map(({ outcome }) => outcome)).toMatchObject([
      { status: "refused", effect: "none", error: { code, message: sentence } },
      { status: "refused", effect: "none", error: { code, message: sentence } },
    ]);
    const decision = { verdict: "refuse", code, sentence };
    expect(record).toMatchObject([
      { seq: 1, tool: "act", source: "deployment", caller: "model", args: {}, status: "refused", decision },
      { seq: 2, tool: "unknown", source: "", caller: "model", args: {}, status: "refused", decision },
      { seq: 1, tool: "act", caller: "program", status: "ok" },
    ]);
  });

  it("F2 S8 its hint is code that runs, whatever the tool's name, and near names where programs have no such tool", async () => {
    const names = ["act", "a-b.c", "__proto__", "delete", "only_direct"];
    const tools = names.map((name) =>
      tool(name, () => name, name === "only_direct" ? { callers: ["direct"] } : { effects: [], parallelSafe: true }),
    );
    const called = [...names, "acts", 'x"{{y}}', "z".repeat(300), "a_b_c"];
    const { results } = await dispatch(
      "code",
      tools,
      called.map((name) => ({ name, input: {} })),
    );
    const hints = results.map(({ outcome }) => (outcome !== undefined && "error" in outcome ? outcome.error.hint : ""));
    const programs = hints.map((hint) => /^call run_program with code such as: (.*)$/.exec(hint ?? "")?.[1]);
    expect(programs).toEqual([
      "return await tools.act({ ... })",
      "return await tools.a_b_c({ ... })",
      "return await tools.__proto__({ ... })",
      "return await tools.delete({ ... })",
      undefined,
      undefined,
      undefined,
      undefined,
      "return await tools.a_b_c({ ... })",
    ]);
    const list = "Object.keys(tools) in a program lists those that are";
    expect(hints.slice(4, 8)).toEqual([
      `no tool "only_direct" is offered to programs; ${list}`,
      'no tool "acts" is offered to programs; did you mean tools.act?',
      `no tool "x\\"{{y}}" is offered to programs; ${list}`,
      `no tool "${"z".repeat(100)}…" is offered to programs; ${list}`,
    ]);
    for (const [index, program] of programs.entries()) {
      if (program === undefined) continue;
      const run = await dispatch("code", tools, [
        { name: "run_program", input: { code: program.replace("{ ... }", "{}") } },
      ]);
      const name = index === 8 ? "a-b.c" : called[index];
      expect(run.results[0]?.run).toMatchObject({ status: "completed", value: name });
    }
  });

  it("F1 in direct form the code tool is not offered; in both, everything is", async () => {
    const program = { name: "run_program", input: { code: "return 1" } };
    const direct = await dispatch("direct", [echo], [program]);
    expect(direct.results[0]).toMatchObject({ isError: true, outcome: { error: { code: "tool_not_offered" } } });
    const both = await dispatch("both", [echo], [program, { name: "echo", input: { a: 1 } }]);
    expect(both.results.map(({ isError }) => isError)).toEqual([false, false]);
  });

  it("G12 input that is no object, and a code tool without code, are refused with how to call again", async () => {
    const { results } = await dispatch(
      "both",
      [echo],
      [
        { name: "echo", input: "text" },
        { name: "run_program", input: { program: "return 1" } },
        { name: "run_program", input: "return 1" },
      ],
    );
    expect(results.map(({ content }) => content)).toEqual([
      "echo takes one object of named arguments, and a string came; call it again as echo with the arguments {} [arguments_not_object]",
      'run_program takes one object with the program as text: { "code": "return 1" } [arguments_invalid]',
      'run_program takes one object with the program as text: { "code": "return 1" } [arguments_invalid]',
    ]);
  });

  it("X3 a shortened provider name leads back to its tool", async () => {
    const long = tool(`observe.${"metrics_".repeat(12)}by_minute`, () => "found");
    const deployment = createDeployment();
    deployment.tool(long);
    const agent = await deployment.agent("test", { form: "direct", runtime: runtime.runtime });
    const [offered] = agent.surface().tools;
    expect(offered?.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    await using session = await agent.session("chat");
    const { results } = await session.turn().dispatch([{ id: "1", name: offered?.name ?? "", input: {} }]);
    expect(results[0]?.content).toBe('"found"');
  });

  it("C1 G1 a guard meets a direct call, a host's call and a program's call alike", async () => {
    const deployment = createDeployment();
    deployment.tool(echo);
    const seen: string[] = [];
    deployment.guard("closed", (call) => {
      seen.push(call.via);
      return "closed";
    });
    const agent = await deployment.agent("test", { form: "both", runtime: runtime.runtime });
    await using session = await agent.session("chat");
    const turn = session.turn();
    const { results } = await turn.dispatch([{ id: "1", name: "echo", input: {} }]);
    const called = await turn.call("echo");
    const run = await turn.run("return await tools.echo({}).catch((e) => e.message)");
    const message = 'guard "closed" refused the call: closed';
    expect(results[0]?.outcome).toMatchObject({ status: "refused", error: { message } });
    expect(called).toMatchObject({ status: "refused", error: { message } });
    expect(run).toMatchObject({ status: "completed", value: message });
    expect(seen).toEqual(["direct", "direct", "code"]);
    expect(turn.record().map(({ caller, turn: number }) => [caller, number])).toEqual([
      ["model", 1],
      ["host", 1],
      ["program", 1],
    ]);
  });

  it("F1 an agent without a runtime calls tools and says why it runs no program", async () => {
    const deployment = createDeployment();
    deployment.tool(echo);
    const agent = await deployment.agent("plain", { form: "direct" });
    expect(await agent.call("echo", { a: 1 })).toEqual({ status: "ok", effect: "none", value: { a: 1 } });
    await expect(agent.run("return 1")).rejects.toThrow('agent "plain" has no runtime, so it can run no program');
  });

  it("X19 C6 a closed session stops its calls and takes no more", async () => {
    const deployment = createDeployment();
    deployment.tool(
      tool(
        "hang",
        (_args, { signal }) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
      ),
    );
    const agent = await deployment.agent("test", { form: "direct" });
    const session = await agent.session("chat");
    const turn = session.turn();
    const call = turn.call("hang");
    await session[Symbol.asyncDispose]();
    expect(await call).toMatchObject({ status: "cancelled", effect: "unknown", error: { code: "call_aborted" } });
    await expect(turn.call("hang")).rejects.toThrow("the turn is over");
    expect(() => session.turn()).toThrow('session "chat" is closed');
  });

  it("J2 the record is one JSON object a line, the same when read back", async () => {
    const { fromJsonl, toJsonl } = await import("../../src/index.ts");
    const { record } = await dispatch(
      "direct",
      [echo],
      [
        { name: "echo", input: { a: "line\nbreak \u2028" } },
        { name: "missing", input: [1] },
      ],
    );
    const text = toJsonl(record);
    expect(text.split("\n")).toHaveLength(3);
    expect(fromJsonl(text)).toEqual(record);
    expect(() => fromJsonl(`${text}{"a":1}\n`)).toThrow('line 3 of the record is no record entry: {"a":1}');
  });
});
