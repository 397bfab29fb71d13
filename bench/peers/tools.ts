import type { PlainTool } from "./system.ts";

const records = Array.from({ length: 7_000 }, (_, id) => ({
  id,
  customer: `customer-${id % 97}`,
  status: id % 10 === 0 ? "open" : "closed",
  amount: (id * 7_919) % 10_000,
  note: "a line of text that makes the record about as long as records are",
}));

/** The tools that programs here call, and `others` more. */
export function makeTools(others: number): PlainTool[] {
  const called: PlainTool[] = [
    {
      name: "add",
      description: "Returns the sum of two numbers.",
      inputSchema: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"],
      },
      outputSchema: { type: "number" },
      execute: ({ a, b }) => Number(a) + Number(b),
    },
    {
      name: "wait",
      description: "Returns the number of milliseconds that it waited.",
      inputSchema: { type: "object", properties: { ms: { type: "number" } }, required: ["ms"] },
      outputSchema: { type: "number" },
      execute: ({ ms }) => new Promise((resolve) => setTimeout(resolve, Number(ms), ms)),
    },
    {
      name: "records",
      description: "Returns about one megabyte of records.",
      inputSchema: { type: "object", properties: {}, required: [] },
      outputSchema: {
        type: "array",
        items: {
          type: "object",
          properties: { id: { type: "integer" }, status: { enum: ["open", "closed"] }, amount: { type: "integer" } },
          required: ["id", "status", "amount"],
        },
      },
      execute: () => records,
    },
    {
      name: "odd",
      description: "Says that it returns a number, and returns a text.",
      inputSchema: { type: "object", properties: {}, required: [] },
      outputSchema: { type: "number" },
      execute: () => "seven",
    },
  ];
  const uncalled = Array.from({ length: others }, (_, index): PlainTool => ({
    name: `other_${index}`,
    description: `Returns item ${index}.`,
    inputSchema: {
      type: "object",
      properties: { id: { type: "string" }, limit: { type: "integer" } },
      required: ["id"],
    },
    outputSchema: { type: "string" },
    execute: ({ id }) => id,
  }));
  return [...called, ...uncalled];
}
