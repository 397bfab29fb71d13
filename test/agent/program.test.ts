import { describe, expect, it } from "vitest";
import { type AnyTool, createDeployment, createRuntime, Fault, type RunEvent, ToolError } from "../../src/index.ts";
import { echo, tool, useRuntime } from "./fixture.ts";

const runtime = useRuntime({ callMs: 5_000, wallMs: 20_000 });

describe("a program", () => {
  it.each([
    ["statements with await and return", "const n: number = await Promise.resolve(3); return n + 1", 4],
    ["a trailing expression", "const n = 3;\nn + 1", 4],
    ["an arrow function", "async () => { return 4 }", 4],
    ["a main function", "async function main(): Promise<number> { return 4 }", 4],
    ["an immediately called function", "(async () => { return 4 })()", 4],
    ["a default export", "export default async () => 4", 4],
    ["a fence", "Here it is:\n```ts\nconst n: number = 4\nreturn n\n```\nDone.", 4],
    ["an enum and a namespace", "enum E { A = 4 } namespace N { export const e = E.A } return N.e", 4],
    ["using", "const log: number[] = []; { using r = { [Symbol.dispose]() { log.push(4) } }; } return log[0]", 4],
    ["nothing returned", "const n = 1", null],
  ])("X1 accepts %s", async (_what, code, value) => {
    expect(await runtime.value(code)).toEqual(value);
  });

  it("X2 X3 X12 calls its tools by name and by alias, and gets their values", async () => {
    const tools = [tool("fetch-page", (args) => ({ url: args })), echo];
    expect(
      await runtime.value(
        'return [await tools["fetch-page"]({ n: 1 }), await tools.fetch_page({ n: 2 }), await tools.echo()]',
        tools,
      ),
    ).toEqual([{ url: { n: 1 } }, { url: { n: 2 } }, {}]);
  });

  it("Q5 J1 gets each result as soon as it is there, up to ten at once, and the record is in the order asked", async () => {
    let running = 0;
    let most = 0;
    const slow: AnyTool = {
      ...echo,
      name: "slow",
      execute: async (args: { n: number }) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 20 - args.n));
        running -= 1;
        return args.n;
      },
    };
    const run = await runtime.run(
      "const order: number[] = []; await Promise.all(Array.from({ length: 12 }, async (_, n) => { order.push(await tools.slow({ n }) as number) })); return order",
      [slow],
    );
    expect(run.status).toBe("completed");
    expect(most).toBe(10);
    expect(run.calls.map(({ args }) => (args as { n: number }).n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(run.calls.map(({ settledIn }) => settledIn).sort((a = 0, b = 0) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
  });

  it("C4 X9 a failed call is a ToolError with code, message and hint, and can be caught", async () => {
    const fail = tool("fail", () => {
      throw new ToolError("no such order", { code: "not_found", hint: "list first", details: { id: 1 } });
    });
    expect(
      await runtime.value(
        "try { await tools.fail() } catch (e) { return [e instanceof ToolError, e.code, e.message, e.hint, e.details, e.status, e.effect] }",
        [fail],
      ),
    ).toEqual([true, "not_found", "no such order", "list first", { id: 1 }, "error", "none"]);
    const run = await runtime.run("const a = 1;\nawait tools.fail({});", [fail]);
    expect(run).toMatchObject({
      status: "failed",
      error: {
        code: "program_error",
        name: "ToolError",
        message: "no such order",
        hint: "list first",
        line: 2,
        column: 13,
      },
    });
  });

  it.each([
    ["at the top", "const a = 1;\nthrow new Error('x');", 2, 7],
    ["after an await", "const a: number = 1;\nawait null;\nnull!.x;", 3, 7],
    ["in a callback", "type T = {\n  a: string\n};\n[1].map((n: number) => {\n  throw new Error('x');\n});", 5, 9],
    ["in a function called later", "function f(s: string) {\n  throw new Error(s);\n}\n\nf('x');", 2, 9],
    ["in a fence", "Look:\n```ts\nconst n: number = 1;\n  throw new Error('x')\n```", 4, 9],
    ["of a name that is not defined", "const a = 1;\nreturn foo.foo + foo + a;", 2, 8],
    ["in an arrow", "async () => {\n  throw new Error('x')\n}", 2, 9],
    ["in a timer", "await new Promise((_, reject) => setTimeout(() => {\n  reject(new Error('x')) }, 1))", 2, 10],
  ])("X9 an error %s has the model's own line and column", async (_where, code, line, column) => {
    const run = await runtime.run(code);
    expect(run).toMatchObject({ status: "failed", error: { code: "program_error", line, column } });
    expect(run.status === "failed" && run.error.frame).toContain(`> ${line} |`);
    expect(JSON.stringify(run)).not.toMatch(/bootstrap|\/dist\/|node:|isolated/);
  });

  it("X9 a syntax error has its line, and no process is needed", async () => {
    expect(await runtime.run("const a = 1;\nconst b = ;")).toMatchObject({
      status: "failed",
      error: { code: "syntax_error", line: 2, column: 11 },
    });
  });

  it("X4 what models wrongly reach for says what to do instead", async () => {
    for (const code of [
      "await fetch('http://x')",
      "require('fs')",
      "process.env.HOME",
      "Buffer.from('x')",
      "fs.readFileSync('x')",
    ]) {
      const run = await runtime.run(code, [echo]);
      expect(run.status).toBe("failed");
      expect(run.status === "failed" && run.error.message).toMatch(/not available in a program/);
    }
  });

  it("X6 a program that waits for what can never happen ends at once", async () => {
    for (const code of [
      "await new Promise(() => {})",
      "await tools.echo({}); await Promise.race([])",
      "const p: Promise<void> = (async () => { await null; await p })(); await p",
    ]) {
      expect(await runtime.run(code, [echo])).toMatchObject({ status: "failed", error: { code: "deadlock" } });
    }
  });

  it("X7 calls that were not awaited are finished and reported with tool and line", async () => {
    let done = 0;
    const late = tool("late", async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      done += 1;
    });
    const run = await runtime.run("const a = 1;\ntools.late({});\ntools.late({});\nreturn a", [late]);
    expect(run).toMatchObject({
      status: "completed",
      value: 1,
      warnings: [
        "call #1 of late at line 2 was not awaited; it ended as ok",
        "call #2 of late at line 3 was not awaited; it ended as ok",
      ],
    });
    expect(done).toBe(2);
    expect(run.calls.map(({ status, settledIn }) => [status, settledIn])).toEqual([
      ["ok", undefined],
      ["ok", undefined],
    ]);
  });

  it("X7 timers that had not fired when the program returned are told", async () => {
    const run = await runtime.run("setTimeout(() => console.log('late'), 1000); return 1");
    expect(run).toMatchObject({
      value: 1,
      console: [],
      warnings: ["the program returned before a timer fired; await what must happen"],
    });
  });

  it("X7 X9 of a program that failed, calls it could not await any more are told by the ledger alone", async () => {
    const run = await runtime.run(
      "try { await Promise.all([tools.echo({ n: 1 }), tools.bad({})]) } catch (cause) { throw new Error('no', { cause }) }",
      [echo, tool("bad", () => Promise.reject(new ToolError("refused")))],
    );
    expect(run).toMatchObject({
      status: "failed",
      warnings: [],
      error: { message: "no", cause: "ToolError: refused" },
    });
  });

  it("X7 X8 after a failure, calls that had not started never run, and the ledger says so", async () => {
    const ran: number[] = [];
    const write = tool("write", async (args: { n: number }) => {
      ran.push(args.n);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (args.n === 2) throw new ToolError("disk full", { code: "disk_full" });
      return args.n;
    });
    const run = await runtime.run(
      "await tools.write({ n: 1 });\nawait Promise.all([2, 3, 4].map((n) => tools.write({ n })))",
      [write],
    );
    expect(ran).toEqual([1, 2, 3]);
    expect(run.status).toBe("failed");
    expect(run.toModel()).toContain(
      "- done: #1 write, #3 write\n- never started: #4 write\n- failed: #2 write (disk_full: disk full)",
    );
  });

  it("X5 each limit has its code, and the runtime goes on", async () => {
    await using small = await createRuntime({
      limits: {
        cpuMs: 200,
        wallMs: 600,
        calls: 3,
        consoleBytes: 50,
        sourceBytes: 2_000,
        argumentBytes: 100,
        resultBytes: 100,
        memoryMb: 32,
      },
      processes: { warm: 1, max: 2 },
    });
    const deployment = createDeployment();
    deployment.tool(echo);
    deployment.tool({ ...echo, name: "big", execute: () => "x".repeat(200) });
    deployment.tool({ ...echo, name: "never", execute: () => new Promise(() => undefined) });
    const agent = await deployment.agent("small", { form: "code", runtime: small });
    const code = async (program: string): Promise<unknown> => {
      const run = await agent.run(program);
      return run.status === "failed" ? run.error.code : run.status;
    };
    expect(await code("while (true) {}")).toBe("cpu_limit");
    expect(await code("await tools.echo({}); while (true) {}")).toBe("cpu_limit");
    expect(await code("for (;;) await null")).toBe("cpu_limit");
    expect(await code("/^(a+)+$/.test('a'.repeat(40) + 'b')")).toBe("cpu_limit");
    expect(await code("return { get x() { while (true) {} } }")).toBe("cpu_limit");
    expect(await code("return { toJSON() { while (true) {} } }")).toBe("cpu_limit");
    expect(await code("throw { get message() { while (true) {} } }")).toBe("cpu_limit");
    expect(await code("await tools.never({})")).toBe("wall_limit");
    expect(await code(`return 1 // ${"x".repeat(2_000)}`)).toBe("source_too_large");
    const caught = (call: string): string => `try { ${call} } catch (e) { return e.code }`;
    const value = async (program: string): Promise<unknown> => {
      const run = await agent.run(program);
      return run.status === "completed" ? run.value : run.toModel();
    };
    expect(await value(caught("for (let i = 0; i < 9; i++) await tools.echo({ i })"))).toBe("calls_limit");
    expect(await value(caught("await tools.echo({ a: 'x'.repeat(200) })"))).toBe("arguments_too_large");
    expect(await value(caught("await tools.big({})"))).toBe("result_too_large");
    const logged = await agent.run("console.log('x'.repeat(40)); console.log('y'.repeat(40)); return 1");
    expect(logged.console.reduce((bytes, { text }) => bytes + text.length, 0)).toBeLessThanOrEqual(50);
    expect(logged.warnings).toHaveLength(1);
    expect(await value("return 1")).toBe(1);
  });

  it.each([
    "const k = []; for (;;) k.push(new Array(1000).fill({}))",
    "const m = new Map(); for (let i = 0; ; i++) m.set(i, i)",
    "let s = 'x'; for (;;) s += s",
    "await tools.echo({}); const k = []; for (;;) k.push({ a: [1, 2, 3] })",
  ])("X5 X12 memory is bounded, whatever fills it: %s", async (code) => {
    expect(await runtime.run(code, [echo])).toMatchObject({
      status: "failed",
      error: { code: expect.stringMatching(/memory_limit|program_error/) as string },
    });
    expect(await runtime.value("return 1")).toBe(1);
  });

  it("X10 a return value over the limit comes back in the same shape with what was dropped", async () => {
    await using small = await createRuntime({ limits: { returnBytes: 200 }, processes: { warm: 1, max: 1 } });
    const agent = await createDeployment().agent("small", { form: "code", runtime: small });
    const run = await agent.run("return { list: Array.from({ length: 500 }, (_, n) => ({ n })), total: 500 }");
    expect(run).toMatchObject({
      status: "completed",
      value: { total: 500 },
      truncated: { bytes: expect.any(Number) as number },
    });
    const list = run.status === "completed" ? (run.value as { list: { n: number }[] }).list : [];
    expect(list[0]).toEqual({ n: 0 });
    expect(list.length).toBeGreaterThan(2);
    expect(run.status === "completed" && run.truncated?.dropped).toEqual([
      { path: "$.list", kept: list.length, of: 500 },
    ]);
    expect(run.status === "completed" && JSON.stringify(run.value).length).toBeLessThanOrEqual(200);
  });

  it("X10 console is captured in order and live, rendering what JSON cannot", async () => {
    const agent = await runtime.agent([echo]);
    await using session = await agent.session("chat");
    const turn = session.turn();
    const live: string[] = [];
    const reading = (async () => {
      for await (const event of turn.events) if (event.type === "console") live.push(`${event.level}: ${event.text}`);
    })();
    const run = await turn.run(
      "console.log('a', 1, { b: [2] }); console.error(new TypeError('bad')); const o: any = {}; o.o = o; console.warn(o, 5n, new Map([['k', 1]]), new Set([1])); return 1",
    );
    turn[Symbol.dispose]();
    await reading;
    expect(run.console.map(({ level, text }) => `${level}: ${text}`)).toEqual(live);
    expect(live).toEqual([
      'log: a 1 {"b":[2]}',
      "error: TypeError: bad",
      'warn: {"o":[Circular]} 5n Map(1) {"k" => 1} Set(1) {1}',
    ]);
  });

  it("X12 abort ends a program in a tight loop, and the next one runs", async () => {
    const agent = await runtime.agent([echo]);
    const controller = new AbortController();
    await using session = await agent.session("chat");
    const turn = session.turn();
    const running = (async () => {
      for await (const event of turn.events) if (event.type === "call.settled") setImmediate(() => controller.abort());
    })();
    const run = await turn.run("await tools.echo({}); while (true) {}", { signal: controller.signal });
    turn[Symbol.dispose]();
    await running;
    expect(run).toMatchObject({
      status: "cancelled",
      error: { code: "aborted", message: "the host's signal ended the program" },
    });
    expect(run.calls).toMatchObject([{ tool: "echo", status: "ok" }]);
    expect(await agent.run("return 2")).toMatchObject({ status: "completed", value: 2 });
  });

  it("X12 an abort before the start, and one while a tool runs, end the program and signal the tool", async () => {
    const agent = await runtime.agent([
      tool(
        "hang",
        (_args, { signal }) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
      ),
    ]);
    expect(await agent.run("return 1", { signal: AbortSignal.abort() })).toMatchObject({
      status: "cancelled",
      error: { code: "aborted" },
      calls: [],
    });
    const controller = new AbortController();
    await using session = await agent.session("chat");
    using turn = session.turn();
    const run = turn.run("await tools.hang({})", { signal: controller.signal });
    for await (const event of turn.events) if (event.type === "call.started") break;
    controller.abort();
    expect(await run).toMatchObject({
      status: "cancelled",
      calls: [{ tool: "hang", status: "cancelled", effect: "unknown", failure: { code: "call_aborted" } }],
    });
  });

  it("X15 a run can be watched, with exactly one end for each start", async () => {
    const agent = await runtime.agent([echo, tool("fail", () => Promise.reject(new ToolError("no")))]);
    await using session = await agent.session("chat");
    const turn = session.turn();
    const events: RunEvent[] = [];
    const reading = (async () => {
      for await (const event of turn.events) events.push(event);
    })();
    await turn.run(
      "console.log('x'); await Promise.allSettled([tools.echo({}), tools.fail({}), tools.missing({})]); return 1",
      { check: "off" },
    );
    turn[Symbol.dispose]();
    await reading;
    const count = (type: string): number => events.filter((event) => event.type === type).length;
    expect(events[0]?.type).toBe("program.started");
    expect(events.at(-1)).toMatchObject({ type: "program.ended", status: "completed" });
    expect([
      count("program.started"),
      count("program.ended"),
      count("call.requested"),
      count("call.settled"),
      count("call.started"),
      count("console"),
    ]).toEqual([1, 1, 3, 3, 2, 1]);
  });

  it("X17 a plan is a program of the host's: a serial, a parallel and a conditional chain through the same pipeline", async () => {
    const seen: string[] = [];
    const named = (name: string, result: unknown): AnyTool =>
      tool(name, () => (seen.push(name), result), { effects: ["read"], parallelSafe: true });
    const agent = await runtime.agent([
      named("customer", { id: 1 }),
      named("order", { id: 2, paid: true }),
      tool("update", (args) => (seen.push("update"), args)),
    ]);
    const run = await agent.run(
      "const [customer, order] = await Promise.all([tools.customer({}), tools.order({})]) as any[];\nif (!order.paid) return 'unpaid';\nreturn await tools.update({ customer: customer.id, order: order.id })",
    );
    expect(run).toMatchObject({ status: "completed", value: { customer: 1, order: 2 } });
    expect(seen).toEqual(["customer", "order", "update"]);
  });

  it("X19 closing settles what runs, leaves no process, is harmless twice, and later runs say so", async () => {
    const closing = await createRuntime({ processes: { warm: 2, max: 4 } });
    const deployment = createDeployment();
    deployment.tool(tool("hang", () => new Promise(() => undefined)));
    const agent = await deployment.agent("closing", { form: "code", runtime: closing });
    await using session = await agent.session("chat");
    const turn = session.turn();
    const run = turn.run("await tools.hang({})");
    for await (const event of turn.events) if (event.type === "call.started") break;
    await Promise.all([closing.close(), closing.close()]);
    expect(await run).toMatchObject({
      status: "cancelled",
      error: { code: "runtime_closed", message: "the runtime was closed" },
    });
    expect(closing.processes).toBe(0);
    await closing.close();
    await expect(agent.run("return 1")).rejects.toThrow(
      new Fault("runtime_closed", "the runtime is closed; create another one to run programs"),
    );
  });

  it("J2 G13 two programs at once never reach each other's tools", async () => {
    const [a, b] = await Promise.all([
      runtime.agent([tool("only_a", () => "a")]),
      runtime.agent([tool("only_b", () => "b")]),
    ]);
    const probe = "return await Promise.all(['only_a', 'only_b'].map((name) => tools[name]({}).catch((e) => e.code)))";
    expect(await Promise.all([a.run(probe), b.run(probe)])).toMatchObject([
      { value: ["a", "tool_not_offered"] },
      { value: ["tool_not_offered", "b"] },
    ]);
  });
});
