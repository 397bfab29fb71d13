import { describe, expect, it } from "vitest";
import { z } from "zod";
import { stages } from "../../src/bridge/stages.ts";
import { ToolError } from "../../src/errors.ts";
import { defineTool } from "../../src/registry/define-tool.ts";
import { outcome } from "../../src/registry/outcome.ts";
import type { AnyTool, ToolContext } from "../../src/registry/tool.ts";
import { deferred, openFixture, settled } from "./fixture.ts";

const tool = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: "Returns what it was given",
  inputSchema: { type: "object" },
  execute: (args) => args,
  ...more,
});

const refusal = (code: string, message: string, more: object = {}) => ({
  status: "refused",
  effect: "none",
  failure: { code, message, ...more },
});

describe("a call", () => {
  it("C1 goes through one visible list of stages", () => {
    expect(stages.map(({ name }) => name)).toEqual([
      "begin",
      "offered",
      "check",
      "guard",
      "validate",
      "approve",
      "schedule",
      "execute",
      "validate result",
      "settle",
    ]);
  });

  it("C1 J1 leaves one entry with its decision, status, times and size", async () => {
    const fixture = openFixture({ tools: [tool("echo", { effects: ["read"] })] });
    expect(await fixture.request("echo", { a: [1] }, { seq: 7 })).toEqual({
      status: "ok",
      effect: "none",
      json: '{"a":[1]}',
      bytes: 9,
    });
    expect(fixture.record()).toEqual([
      {
        runId: "run_test",
        tenant: "acme",
        session: "chat",
        turn: 1,
        seq: 1,
        callId: "run_test.1",
        caller: "program",
        tool: "echo",
        source: "deployment",
        args: { a: [1] },
        decision: { verdict: "allow", code: "allowed", sentence: "no policy or guard objected" },
        status: "ok",
        effect: "none",
        attempts: 1,
        queuedMs: 0,
        ranMs: expect.any(Number) as number,
        humanMs: 0,
        resultBytes: 9,
        truncated: false,
      },
    ]);
  });

  it("C1 J2 writes its events in the order in which they happen", async () => {
    const fixture = openFixture({ tools: [tool("echo")] });
    await fixture.request("echo");
    expect(fixture.entries().map(({ kind }) => kind)).toEqual(["ask", "decision", "intent", "out"]);
  });

  it("C1 policy, guard, tool and record see one frozen value that was parsed once", async () => {
    let parsed = 0;
    const seen: unknown[] = [];
    const schema = z.object({
      n: z.coerce.number().transform((n) => {
        parsed += 1;
        return n;
      }),
    });
    const fixture = openFixture({
      tools: [
        {
          ...defineTool({
            name: "count",
            description: "Counts",
            inputSchema: schema,
            execute: (args) => void seen.push(args),
          }),
        },
      ],
      setUp: (scope) => {
        scope.policy((call) => {
          seen.push(call.args);
          return "allow";
        });
        scope.guard("look", (call) => void seen.push(call.args));
      },
    });
    await fixture.request("count", { n: "3" });
    expect(parsed).toBe(1);
    expect(seen).toEqual([{ n: 3 }, { n: 3 }, { n: 3 }]);
    expect(new Set(seen).size).toBe(1);
    expect(Object.isFrozen(seen[0])).toBe(true);
    expect(fixture.record()[0]).toMatchObject({ args: { n: "3" }, ran: { n: 3 } });
  });

  it("G13 one that names a tool not offered is refused with the nearest names and one entry", async () => {
    const fixture = openFixture({ tools: [tool("read_file"), tool("write_file")] });
    expect(await fixture.request("readFile")).toEqual(
      refusal("tool_not_offered", 'no tool "readFile" is offered here', {
        hint: "did you mean read_file?",
        details: { name: "readFile", nearest: ["read_file"] },
      }),
    );
    expect(fixture.record()).toHaveLength(1);
    expect(fixture.record()[0]).toMatchObject({
      tool: "readFile",
      source: "",
      status: "refused",
      decision: { verdict: "refuse", code: "tool_not_offered" },
    });
  });

  it("G12 arguments that are not an object are refused with a sentence that says how to call again", async () => {
    const fixture = openFixture({
      tools: [tool("find", { inputSchema: { type: "object", properties: { q: { type: "string" } } } })],
    });
    for (const [args, came] of [
      ['"x"', "a string"],
      ["[1]", "an array"],
      ["null", "null"],
      ["3", "a number"],
    ]) {
      expect(await fixture.request("find", args)).toEqual(
        refusal(
          "arguments_not_object",
          `find takes one object of named arguments, and ${came} came; call it again as tools.find({ "q": … })`,
        ),
      );
    }
  });

  it("C2 a mismatch names path, expected and came, and the tool does not run", async () => {
    let ran = 0;
    const fixture = openFixture({
      tools: [
        tool("add", {
          inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
          execute: () => (ran += 1),
        }),
      ],
    });
    const wrong = await fixture.request("add", { n: "1" });
    expect(wrong).toMatchObject({ status: "refused", effect: "none", failure: { code: "arguments_invalid" } });
    expect("failure" in wrong && wrong.failure.message).toMatch(/\$\.n.*number.*"1"|\$\.n.*number.*string/);
    expect(ran).toBe(0);
  });

  it("C2 J1 a misspelt argument that the schema lets through is noted (D18)", async () => {
    const inputSchema = { type: "object", properties: { path: { type: "string" } } };
    const fixture = openFixture({ tools: [tool("read", { inputSchema, effects: ["read"] })] });
    const note = 'read was given arguments that it does not declare: "pathh" (did you mean "path"?)';
    expect(await fixture.request("read", { pathh: "x", other: 1 })).toMatchObject({ status: "ok", note });
    expect(fixture.record()[0]).toMatchObject({ status: "ok", note });
    expect(await fixture.request("read", { path: "x", extra: 1 })).not.toHaveProperty("note");
  });

  it("C2 C13 its own validate runs after the schema, and what it throws reaches the model with its message", async () => {
    const fixture = openFixture({
      tools: [
        tool("book", {
          validate: async () => {
            await settled();
            throw new Error("the day is over");
          },
        }),
      ],
    });
    expect(await fixture.request("book")).toEqual(refusal("arguments_invalid", "the day is over"));
  });

  it("C10 arguments over the limit are refused with their size", async () => {
    const fixture = openFixture({ tools: [tool("echo")], limits: { argumentBytes: 20 } });
    expect(await fixture.request("echo", { text: "ä".repeat(10) })).toEqual(
      refusal("arguments_too_large", "the arguments of echo are 31 bytes of JSON; the limit is 20", {
        details: { bytes: 31 },
      }),
    );
  });

  it("C10 C15 G13 a result over the limit is an error that says the call ran, with a reference and a preview", async () => {
    const fixture = openFixture({
      tools: [tool("dump", { execute: () => ["x".repeat(60), "y".repeat(3_000)] })],
      limits: { resultBytes: 50 },
    });
    const dumped = await fixture.request("dump");
    const { reference } = ("failure" in dumped ? dumped.failure.details : {}) as { reference: { ref: string } };
    expect(dumped).toEqual({
      status: "error",
      effect: "done",
      failure: {
        code: "result_too_large",
        message: "dump ran, but its result is over 50 bytes of JSON",
        hint: `read it in parts in a program: results.get("${reference.ref}", { path, offset, limit }); or ask for less: a page, a filter, fewer fields`,
        details: {
          reference: {
            ref: reference.ref,
            type: "application/json",
            bytes: 3_067,
            hash: expect.stringMatching(/^sha256-/) as string,
          },
          preview: ["x".repeat(60)],
        },
      },
    });
  });

  it("C3 C5 a result that does not match its schema fails the call, is not kept, and the effect is done", async () => {
    let ran = 0;
    const fixture = openFixture({
      tools: [
        tool("pay", {
          outputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
          execute: () => ((ran += 1), { id: 5 }),
        }),
      ],
    });
    const result = await fixture.request("pay");
    expect(result).toMatchObject({ status: "error", effect: "done", failure: { code: "result_invalid" } });
    expect(result).not.toHaveProperty("json");
    expect(ran).toBe(1);
    expect(fixture.record()[0]).toMatchObject({ status: "error", effect: "done", attempts: 1 });
  });

  it("C7 a result that is no JSON is done, and its path is named", async () => {
    const fixture = openFixture({ tools: [tool("odd", { execute: () => ({ list: [1, () => 2] }) })] });
    expect(await fixture.request("odd")).toMatchObject({
      status: "error",
      effect: "done",
      failure: { code: "result_not_json", message: expect.stringContaining("$.list[1] is a function") as string },
    });
  });

  it("C7 converts what the table converts", async () => {
    const fixture = openFixture({
      tools: [
        tool("convert", {
          effects: ["read"],
          execute: () => ({
            at: new Date(0),
            map: new Map([["a", 1]]),
            set: new Set([1]),
            bytes: new Uint8Array([1, 2]),
            big: 12n,
            gone: undefined,
          }),
        }),
      ],
    });
    expect(await fixture.request("convert")).toMatchObject({
      json: '{"at":"1970-01-01T00:00:00.000Z","map":{"a":1},"set":[1],"bytes":[1,2],"big":"12"}',
    });
  });

  it("C8 C12 an outcome tells status, effect and structured content", async () => {
    const fixture = openFixture({
      tools: [
        tool("send", { execute: () => outcome({ structuredContent: { id: 1 }, effect: "accepted" }) }),
        tool("plan", { execute: () => outcome({ content: "planned as 7", status: "planned", effect: "none" }) }),
        tool("fail", {
          execute: () =>
            outcome({ status: "error", error: { code: "no_stock", message: "nothing left", hint: "try tomorrow" } }),
        }),
      ],
    });
    expect(await fixture.request("send")).toEqual({ status: "ok", effect: "accepted", json: '{"id":1}', bytes: 8 });
    expect(await fixture.request("plan")).toEqual({
      status: "planned",
      effect: "none",
      json: '"planned as 7"',
      bytes: 14,
    });
    expect(await fixture.request("fail")).toEqual({
      status: "error",
      effect: "none",
      failure: { code: "no_stock", message: "nothing left", hint: "try tomorrow" },
    });
  });

  it("C4 C13 an expected failure keeps its message, code, hint and details; any other throw becomes opaque", async () => {
    const fixture = openFixture({
      tools: [
        tool("expected", {
          execute: () => {
            throw new ToolError("no such order", { code: "not_found", hint: "list orders first", details: { id: 9 } });
          },
        }),
        tool("bug", {
          execute: () => {
            throw new Error("cannot open /etc/secret");
          },
        }),
      ],
    });
    expect(await fixture.request("expected")).toEqual({
      status: "error",
      effect: "none",
      failure: { code: "not_found", message: "no such order", hint: "list orders first", details: { id: 9 } },
    });
    const opaque = await fixture.request("bug");
    const text = JSON.stringify(opaque);
    expect(text).not.toContain("secret");
    expect(opaque).toMatchObject({ status: "error", effect: "unknown", failure: { code: "internal_error" } });
    const { correlationId } = ("failure" in opaque ? opaque.failure.details : {}) as { correlationId: string };
    expect("failure" in opaque && opaque.failure.message).toBe(`bug failed with an internal error [${correlationId}]`);
    expect(fixture.logged).toEqual([
      {
        message: 'tool "bug" threw',
        data: {
          callId: "run_test.2",
          correlationId,
          cause: expect.objectContaining({ message: "cannot open /etc/secret" }) as unknown,
        },
      },
    ]);
  });

  it("C13 odd throws neither break the pipeline nor leak", async () => {
    const hostile = new Proxy(new Error("x"), {
      get: () => {
        throw new Error("trap");
      },
    });
    for (const thrown of [undefined, null, 5, Symbol("s"), hostile, { then: 1 }]) {
      const fixture = openFixture({
        tools: [
          tool("odd", {
            execute: () => {
              throw thrown;
            },
          }),
        ],
      });
      expect(await fixture.request("odd")).toMatchObject({ status: "error", failure: { code: "internal_error" } });
    }
  });

  it("C5 C11 a read that runs too long is a timeout on the tool clock; a write is unknown", async () => {
    const signals: AbortSignal[] = [];
    const hang = (_args: never, context: { signal: AbortSignal }): Promise<never> => {
      signals.push(context.signal);
      return new Promise(() => undefined);
    };
    const fixture = openFixture({
      tools: [
        tool("read", { effects: ["read"], execute: hang, timeoutMs: 5 }),
        tool("write", { execute: hang, timeoutMs: 5 }),
      ],
    });
    expect(await fixture.request("read")).toEqual({
      status: "timeout",
      effect: "none",
      failure: { code: "call_timeout", message: "read did not finish within 5 ms on the tool clock" },
    });
    expect(await fixture.request("write")).toEqual({
      status: "unknown",
      effect: "unknown",
      failure: {
        code: "call_timeout",
        message: "write did not finish within 5 ms on the tool clock; whether it took effect is not known",
      },
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it("C11 waiting in the queue counts against the queue clock, not against the tool's time", async () => {
    const gate = deferred();
    const fixture = openFixture({
      tools: [tool("first", { execute: () => gate.promise }), tool("second", { timeoutMs: 30 })],
    });
    const first = fixture.request("first");
    const second = fixture.request("second");
    await new Promise((resolve) => setTimeout(resolve, 60));
    gate.resolve();
    await first;
    expect(await second).toMatchObject({ status: "ok" });
    expect(fixture.record()[1]?.queuedMs).toBeGreaterThanOrEqual(50);
  });

  it("C6 a call stopped before it starts never runs; one that runs is signalled and its real outcome kept", async () => {
    const gate = deferred<string>();
    let ran = 0;
    const fixture = openFixture({
      tools: [tool("slow", { execute: () => gate.promise }), tool("next", { execute: () => (ran += 1) })],
    });
    const slow = fixture.request("slow");
    const next = fixture.request("next");
    await settled();
    fixture.step.stop("the user left", "all");
    gate.resolve("done after all");
    expect(await slow).toEqual({ status: "ok", effect: "done", json: '"done after all"', bytes: 16 });
    expect(await next).toEqual({
      status: "cancelled",
      effect: "none",
      failure: { code: "call_cancelled", message: "the call never started: the user left" },
    });
    expect(ran).toBe(0);
    expect(fixture.step.open).toBe(0);
  });

  it("C5 C6 a write that does not answer its signal is unknown, and what it really did is kept beside it", async () => {
    const gate = deferred<string>();
    const fixture = openFixture({ tools: [tool("stubborn", { execute: () => gate.promise })] });
    const call = fixture.request("stubborn");
    await settled();
    fixture.step.stop("the program was out of time", "all");
    expect(await call).toEqual({
      status: "unknown",
      effect: "unknown",
      failure: {
        code: "call_aborted",
        message:
          "the program was out of time; the tool did not answer its signal, so whether it took effect is not known",
      },
    });
    gate.resolve("late");
    await settled();
    expect(fixture.record()[0]).toMatchObject({
      status: "unknown",
      effect: "unknown",
      late: { status: "ok", effect: "done" },
    });
  });

  it("C5 C6 a tool that answers a timeout by throwing the signal's reason is not believed to have done nothing", async () => {
    const fixture = openFixture({
      tools: [
        tool("write", {
          timeoutMs: 5,
          execute: (_args, { signal }) =>
            new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
        }),
      ],
    });
    expect(await fixture.request("write")).toMatchObject({ status: "unknown", effect: "unknown" });
    await settled();
    expect(fixture.record()[0]?.late).toMatchObject({ status: "cancelled", effect: "unknown" });
  });

  it.each([
    ["planned", undefined, "none"],
    ["pending", undefined, "accepted"],
    ["ok", undefined, "done"],
    ["planned", "unknown", "unknown"],
  ] as const)(
    "C5 C8 C12 a write that answers %s and says %s of its effect has the effect %s",
    async (status, effect, known) => {
      const parts = { structuredContent: 1, status, ...(effect === undefined ? {} : { effect }) };
      const fixture = openFixture({ tools: [tool("act", { execute: () => outcome(parts) })] });
      expect(await fixture.request("act")).toMatchObject({ status, effect: known });
      const strict = openFixture({
        tools: [tool("act", { outputSchema: { type: "string" }, execute: () => outcome(parts) })],
      });
      expect(await strict.request("act")).toMatchObject({
        status: "error",
        effect: known,
        failure: { code: "result_invalid" },
      });
    },
  );

  it("C8 structured content of null is content", async () => {
    const fixture = openFixture({
      tools: [tool("act", { execute: () => outcome({ structuredContent: null, content: "text" }) })],
    });
    expect(await fixture.request("act")).toMatchObject({ json: "null" });
  });

  it("C6 a stop reaches the signal of whatever the call waits for, and asks nobody any more", async () => {
    const signals: AbortSignal[] = [];
    const fixture = openFixture({
      tools: [tool("act")],
      setUp: (scope) =>
        void scope.guard("slow", (call) => {
          signals.push(call.signal);
          return new Promise(() => undefined);
        }),
    });
    const call = fixture.request("act");
    fixture.step.stop("the user left", "all");
    expect(await call).toMatchObject({ status: "cancelled", failure: { code: "call_cancelled" } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);

    let asked = 0;
    const late = openFixture({
      tools: [tool("act")],
      setUp: (scope) => void scope.policy(() => "ask"),
      ask: () => (asked += 1),
    });
    expect(await late.request("act", {}, { signal: AbortSignal.abort() })).toMatchObject({ status: "cancelled" });
    expect(asked).toBe(0);
  });

  it("C2 J1 arguments whose keys a schema only reorders ran as they were sent", async () => {
    const schema = z.object({ a: z.number(), b: z.number() });
    const fixture = openFixture({ tools: [tool("act", { inputSchema: schema })] });
    await fixture.request("act", { b: 1, a: 2 });
    expect(fixture.record()[0]).not.toHaveProperty("ran");
  });

  it("S8 G13 a tool is there for those alone that may call it", async () => {
    const fixture = openFixture({
      tools: [tool("by_model", { callers: ["direct"] }), tool("by_program", { callers: ["code"] })],
    });
    const codes = async (name: string): Promise<unknown[]> =>
      Promise.all(
        (["program", "model", "host"] as const).map(async (caller) => {
          const result = await fixture.request(name, {}, { caller });
          return "failure" in result ? result.failure.code : result.status;
        }),
      );
    expect(await codes("by_model")).toEqual(["tool_not_offered", "ok", "ok"]);
    expect(await codes("by_program")).toEqual(["ok", "tool_not_offered", "ok"]);
    // A name that is not for the caller is no hint either.
    expect(await fixture.request("by_model")).toMatchObject({ failure: { hint: "the tools are by_program" } });
  });

  it("G1 G3 guards run outermost first; the first reason refuses; a throw or silence refuses and says which", async () => {
    const order: string[] = [];
    let ran = 0;
    const fixture = openFixture({
      tools: [tool("act", { execute: () => (ran += 1) })],
      setUp: (scope) => {
        scope.guard("first", () => void order.push("first"));
        scope.guard("second", () => {
          order.push("second");
          return "closed on Sundays";
        });
        scope.guard("third", () => void order.push("third"));
      },
    });
    expect(await fixture.request("act")).toEqual(
      refusal("guard_refused", 'guard "second" refused the call: closed on Sundays'),
    );
    expect(order).toEqual(["first", "second"]);
    expect(ran).toBe(0);
    expect(fixture.record()[0]?.decision).toEqual({
      verdict: "refuse",
      code: "guard_refused",
      sentence: 'guard "second" refused the call: closed on Sundays',
    });

    const broken = openFixture({
      tools: [tool("act")],
      setUp: (scope) => {
        scope.guard("broken", () => {
          throw new Error("secret");
        });
      },
    });
    expect(await broken.request("act")).toEqual(
      refusal("guard_failed", 'guard "broken" threw, so the call is refused'),
    );
  });

  it("G1 anything but undefined refuses", async () => {
    for (const answer of [null, false, true, 0, "", {}, Promise.resolve(null)]) {
      const fixture = openFixture({ tools: [tool("act")], setUp: (scope) => void scope.guard("odd", () => answer) });
      expect(await fixture.request("act")).toEqual(
        refusal("guard_refused", 'guard "odd" refused the call: it gave no text as its reason'),
      );
    }
  });

  it("C1 C11 a policy that asks waits on the human clock alone; nobody to ask means refused", async () => {
    const ask = (scope: {
      policy: (policy: () => { verdict: "ask"; code: string; message: string }) => unknown;
    }): void => void scope.policy(() => ({ verdict: "ask", code: "needs_person", message: "payments need a person" }));
    const alone = openFixture({ tools: [tool("pay")], setUp: ask });
    expect(await alone.request("pay")).toEqual(
      refusal("approval_unavailable", "payments need a person, and nobody is there to answer"),
    );

    const cards: unknown[] = [];
    const answer = deferred<boolean>();
    const asked = openFixture({
      tools: [tool("pay", { timeoutMs: 5 })],
      setUp: ask,
      ask: ({ items }) => {
        cards.push(...items);
        return answer.promise;
      },
    });
    const call = asked.request("pay", { amount: 3 });
    await new Promise((resolve) => setTimeout(resolve, 30));
    answer.resolve(true);
    expect(await call).toMatchObject({ status: "ok" });
    expect(cards).toEqual([
      {
        kind: "call",
        callId: "run_test.1",
        tool: "pay",
        source: "deployment",
        args: { amount: 3 },
        code: "needs_person",
        reason: "payments need a person",
        choices: ["allow", "deny", "edit"],
        expiresMs: 86_400_000,
      },
    ]);
    expect(asked.record()[0]?.humanMs).toBeGreaterThanOrEqual(25);
    expect(asked.record()[0]?.decision).toEqual({
      verdict: "allow",
      code: "approved",
      sentence: "a person approved the call",
    });
  });

  it("C1 nobody is asked about a malformed call", async () => {
    let asked = 0;
    const fixture = openFixture({
      tools: [tool("pay", { inputSchema: { type: "object", required: ["amount"] } })],
      setUp: (scope) => void scope.policy(() => ({ verdict: "ask" })),
      ask: () => {
        asked += 1;
        return true;
      },
    });
    expect(await fixture.request("pay")).toMatchObject({ status: "refused", failure: { code: "arguments_invalid" } });
    expect(asked).toBe(0);
  });

  it("Q4 J1 the record is in the order asked, whatever the order of finishing", async () => {
    const gates = [deferred(), deferred(), deferred()];
    const fixture = openFixture({
      tools: [
        tool("wait", {
          effects: ["read"],
          parallelSafe: true,
          execute: async ({ n }: { n: number }) => (await gates[n]?.promise, n),
        } as unknown as AnyTool),
      ],
    });
    const calls = [0, 1, 2].map((n) => fixture.request("wait", { n }));
    const finished: number[] = [];
    calls.forEach((call, n) => void call.then(() => finished.push(n)));
    for (const n of [2, 0, 1]) {
      gates[n]?.resolve();
      await settled();
    }
    await Promise.all(calls);
    expect(finished).toEqual([2, 0, 1]);
    expect(fixture.record().map(({ args }) => args)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
  });

  it("Q1 Q2 a classifier may look at the arguments; one that throws means exclusive", async () => {
    let running = 0;
    let most = 0;
    const execute = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await settled();
      running -= 1;
    };
    const classify = (parallelSafe: AnyTool["parallelSafe"]) => {
      most = 0;
      return openFixture({ tools: [tool("act", { parallelSafe, execute } as unknown as AnyTool)] });
    };
    const both = (fixture: ReturnType<typeof classify>) =>
      Promise.all([fixture.request("act", { safe: true }), fixture.request("act", { safe: true })]);
    await both(classify((args: { safe: boolean }) => args.safe));
    expect(most).toBe(2);
    for (const answer of [
      () => {
        throw new Error("no");
      },
      () => "yes",
      () => 1,
      false,
      undefined,
    ]) {
      await both(classify(answer as AnyTool["parallelSafe"]));
      expect(most).toBe(1);
    }
  });

  it("Q2 a call that a running tool makes runs under that tool's slot and is an entry of its own", async () => {
    const fixture = openFixture({
      tools: [
        tool("outer", {
          execute: async (_args: never, context: ToolContext) => [
            await context.call("inner", { n: 1 }),
            await context.call("inner", { n: 2 }),
          ],
        }),
        tool("inner"),
      ],
    });
    expect(await fixture.request("outer")).toMatchObject({ status: "ok", json: '[{"n":1},{"n":2}]' });
    expect(fixture.record().map(({ tool: name, caller, parent }) => ({ name, caller, parent }))).toEqual([
      { name: "outer", caller: "program", parent: undefined },
      { name: "inner", caller: "tool", parent: "run_test.1" },
      { name: "inner", caller: "tool", parent: "run_test.1" },
    ]);
  });

  it("C4 a nested call that fails throws a ToolError in the calling tool", async () => {
    const fixture = openFixture({
      tools: [
        tool("outer", {
          execute: async (_args: never, context: { call: (name: string) => Promise<unknown> }) => {
            try {
              return await context.call("missing");
            } catch (error) {
              return error instanceof ToolError ? `${error.code}: ${error.message}` : "other";
            }
          },
        }),
      ],
    });
    expect(await fixture.request("outer")).toMatchObject({
      json: '"tool_not_offered: no tool \\"missing\\" is offered here"',
    });
  });

  it("Q6 a tool that goes on after its end gets no further call served", async () => {
    const gate = deferred();
    const late = deferred<unknown>();
    const fixture = openFixture({
      tools: [
        tool("outer", {
          timeoutMs: 5,
          execute: async (_args: never, context: { call: (name: string) => Promise<unknown> }) => {
            await gate.promise;
            await context.call("inner").then(
              (value) => late.resolve(value),
              (error: Error) => late.resolve(error.message),
            );
          },
        }),
        tool("inner"),
      ],
    });
    expect(await fixture.request("outer")).toMatchObject({ status: "unknown" });
    gate.resolve();
    expect(await late.promise).toBe("the call never started: the tool that asked for it had ended");
  });

  it("X15 every requested call is settled exactly once, with what was decided and when it started", async () => {
    const fixture = openFixture({
      tools: [tool("echo")],
      setUp: (scope) => void scope.guard("no", (call) => (call.name === "echo" ? undefined : "no")),
    });
    await Promise.all([fixture.request("echo"), fixture.request("missing")]);
    const types = (callId: string): string[] =>
      fixture.events.filter((event) => event.callId === callId).map(({ type }) => type);
    expect(types("run_test.1")).toEqual(["call.requested", "call.decided", "call.started", "call.settled"]);
    expect(types("run_test.2")).toEqual(["call.requested", "call.decided", "call.settled"]);
  });
});
