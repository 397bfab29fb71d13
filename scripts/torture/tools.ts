// Tools that do something outside, with a moment before and a moment after in which the process may be killed.
import { setTimeout as sleep } from "node:timers/promises";
import { type AnyTool, defineTool, TransientError } from "codecall";
import { appendEffect } from "./world.ts";

interface Write {
  readonly run: string;
  readonly n: number;
}

const inputSchema = {
  type: "object",
  properties: { run: { type: "string" }, n: { type: "integer" } },
  required: ["run", "n"],
  additionalProperties: false,
} as const;

const moment = (ms: number): Promise<void> => sleep(Math.random() * ms);

/** By the calls that go on they are known outside: one that is idempotent does nothing under a request id that it has seen. */
export function tortureTools(ledger: string): readonly AnyTool[] {
  const writer = (name: string, ms: number, idempotent: boolean, fails = 0): AnyTool =>
    defineTool<Write>({
      name,
      description: "Writes a number into the ledger and returns it.",
      inputSchema,
      effects: ["write"],
      idempotent,
      async execute({ run, n }, { requestId }) {
        await moment(ms);
        if (Math.random() < fails) throw new TransientError("busy");
        appendEffect(ledger, { run, n, requestId, idempotent });
        if (Math.random() < fails) throw Object.assign(new Error("the answer was lost"), { code: "ECONNRESET" });
        await moment(ms);
        return n;
      },
    });
  return [
    writer("append", 3, false),
    writer("put", 3, true),
    writer("slow", 15, false),
    writer("flaky", 2, true, 0.1),
    defineTool<Write>({
      name: "relay",
      description: "Has a number written into the ledger and returns it.",
      inputSchema,
      effects: ["write"],
      idempotent: true,
      async execute({ run, n }, context) {
        await moment(2);
        return context.call("append", { run, n });
      },
    }),
    defineTool<{ n: number }>({
      name: "look",
      description: "Reads and returns a number.",
      inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      effects: ["read"],
      parallelSafe: true,
      async execute({ n }) {
        await moment(3);
        return { n, at: performance.now() };
      },
    }),
  ];
}
