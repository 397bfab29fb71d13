import fc from "fast-check";
import { expect, it } from "vitest";
import type { Outcome } from "../../src/bridge/outcome.ts";
import { ToolError } from "../../src/errors.ts";
import type { AnyTool } from "../../src/registry/tool.ts";
import { deferred, openFixture, settled } from "./fixture.ts";

interface Running {
  readonly parallel: boolean;
  finish(): void;
  fail(): void;
}

/** Tools whose end is in the test's hands, in every kind that the scheduler tells apart; some call another tool while they run. */
function handTools(running: Running[], log: string[], cap: number): AnyTool[] {
  const make = (name: string, parallel: boolean, nested: boolean): AnyTool =>
    ({
      name,
      description: "Returns when told",
      inputSchema: { type: "object" },
      ...(parallel ? { parallelSafe: true } : {}),
      ...(name === "read" ? { effects: ["read"] } : {}),
      execute: async (
        args: { n: number },
        context: { signal: AbortSignal; call: (name: string, args: object) => Promise<unknown> },
      ) => {
        const gate = deferred();
        const entry: Running = {
          parallel,
          finish: () => gate.resolve(),
          fail: () => gate.reject(new ToolError("told to fail")),
        };
        running.push(entry);
        log.push(`start ${args.n}`);
        expect(running.length).toBeLessThanOrEqual(cap);
        if (running.some((other) => !other.parallel)) expect(running).toHaveLength(1);
        context.signal.addEventListener("abort", () => gate.reject(context.signal.reason), { once: true });
        try {
          if (nested) await context.call("leaf", {});
          await gate.promise;
          return args.n;
        } finally {
          running.splice(running.indexOf(entry), 1);
        }
      },
    }) as unknown as AnyTool;
  return [
    make("read", true, false),
    make("write", false, false),
    make("nest", true, true),
    { name: "leaf", description: "Returns 1", inputSchema: { type: "object" }, execute: () => 1 },
  ];
}

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("request" as const),
      tool: fc.constantFrom("read", "write", "nest", "missing", "guarded"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("finish" as const, "fail" as const), at: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("abort" as const), at: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("stop waiting" as const, "stop all" as const, "dispose" as const) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("rest" as const) }) },
);

it("Q1 Q2 Q3 Q4 Q6 C6 J1 requests, starts, ends, failures, aborts and disposal in any order lose no slot and no entry", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(command, { maxLength: 40 }), async (cap, commands) => {
      const running: Running[] = [];
      const log: string[] = [];
      const fixture = openFixture({
        tools: [
          ...handTools(running, log, cap),
          { name: "guarded", description: "Returns nothing", inputSchema: { type: "object" }, execute: () => null },
        ],
        limits: { concurrency: cap },
        setUp: (scope) =>
          void scope.guard("no", async (call) =>
            call.name === "guarded" ? (await settled(), "not today") : undefined,
          ),
      });
      const requests: { readonly controller: AbortController; readonly outcome: Promise<Outcome> }[] = [];
      for (const next of commands) {
        if (next.kind === "request") {
          const controller = new AbortController();
          requests.push({
            controller,
            outcome: fixture.request(next.tool, { n: requests.length }, { signal: controller.signal }),
          });
        } else if (next.kind === "finish") running[next.at]?.finish();
        else if (next.kind === "fail") running[next.at]?.fail();
        else if (next.kind === "abort") requests[next.at]?.controller.abort();
        else if (next.kind === "stop waiting") fixture.step.stop("stopped", "waiting");
        else if (next.kind === "stop all") fixture.step.stop("stopped", "all");
        else if (next.kind === "dispose") fixture.scope[Symbol.dispose]();
        else await settled();
      }
      while (fixture.step.open > 0) {
        await settled();
        running.forEach((entry) => entry.finish());
      }
      await fixture.step.settled();
      const outcomes = await Promise.all(requests.map(({ outcome }) => outcome));

      const top = fixture.record().filter(({ parent }) => parent === undefined);
      expect(top.map(({ args }) => (args as { n: number }).n)).toEqual(requests.map((_, n) => n));
      expect(top.map(({ status }) => status)).toEqual(outcomes.map(({ status }) => status));
      const starts = log.map((line) => Number(line.slice(6)));
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
      for (const [n, { attempts }] of top.entries()) {
        const runsHere = ["read", "write", "nest"].includes(top[n]?.tool ?? "");
        expect(log.filter((line) => line === `start ${n}`)).toHaveLength(runsHere ? attempts : 0);
      }
      for (const { kind, ...entry } of fixture.entries()) {
        if (kind === "out")
          expect(
            fixture.entries().filter((other) => other.kind === "out" && "call" in entry && other.call === entry.call),
          ).toHaveLength(1);
      }
    }),
    { numRuns: 150 },
  );
});
