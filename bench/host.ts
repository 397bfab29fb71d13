import { isDeepStrictEqual } from "node:util";
import { type AnyTool, createDeployment, createRuntime, defineTool } from "../src/index.ts";

export interface Host extends AsyncDisposable {
  /** Runs a program and throws unless its value is `expected`. */
  run(code: string, expected: unknown): Promise<void>;
}

const records = Array.from({ length: 7_000 }, (_, id) => ({
  id,
  customer: `customer-${id % 97}`,
  status: id % 10 === 0 ? "open" : "closed",
  amount: (id * 7_919) % 10_000,
  note: "a line of text that makes the record about as long as records are",
}));

/** Three tools that programs here call, and `count` more. */
export function benchTools(count: number): AnyTool[] {
  const numberOut = { type: "number" } as const;
  const named = [
    defineTool({
      name: "add",
      description: "Returns the sum of two numbers.",
      inputSchema: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"],
        additionalProperties: false,
      },
      outputSchema: numberOut,
      effects: [],
      parallelSafe: true,
      execute: ({ a, b }) => Number(a) + Number(b),
    }),
    defineTool({
      name: "wait",
      description: "Returns the number of milliseconds that it waited.",
      inputSchema: {
        type: "object",
        properties: { ms: { type: "number" } },
        required: ["ms"],
        additionalProperties: false,
      },
      outputSchema: numberOut,
      effects: [],
      parallelSafe: true,
      execute: async ({ ms }) => {
        await new Promise((resolve) => setTimeout(resolve, Number(ms)));
        return ms;
      },
    }),
    defineTool({
      name: "records",
      description: "Returns about one megabyte of records.",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      outputSchema: {
        type: "array",
        items: {
          type: "object",
          properties: { id: { type: "integer" }, status: { enum: ["open", "closed"] }, amount: { type: "integer" } },
          required: ["id", "status", "amount"],
        },
      },
      effects: ["read"],
      parallelSafe: true,
      execute: () => records,
    }),
  ];
  const others = Array.from({ length: count }, (_, index) =>
    defineTool({
      name: `other_${index}`,
      description: `Returns item ${index}.`,
      inputSchema: {
        type: "object",
        properties: { id: { type: "string" }, limit: { type: "integer" } },
        required: ["id"],
      },
      effects: ["read"],
      execute: ({ id }) => id,
    }),
  );
  return [...named, ...others];
}

/** An agent over a runtime of its own, with `others` tools more than programs here call. */
export async function startHost(others = 0): Promise<Host> {
  const runtime = await createRuntime();
  const deployment = createDeployment();
  for (const tool of benchTools(others)) deployment.tool(tool);
  const agent = await deployment.agent("bench", { form: "code", runtime });
  return {
    async run(code, expected) {
      const run = await agent.run(code);
      if (run.status !== "completed" || !isDeepStrictEqual(run.value, expected)) {
        throw new Error(`a program gave ${JSON.stringify(run)}, not ${JSON.stringify(expected)}:\n${code}`);
      }
    },
    async [Symbol.asyncDispose]() {
      await runtime[Symbol.asyncDispose]();
      deployment[Symbol.dispose]();
    },
  };
}
