import type { AnyTool } from "../../src/index.ts";
import { bounds } from "../../src/limits.ts";

const text = { type: "string" };
const number = { type: "number" };
const closed = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const many = Object.fromEntries(Array.from({ length: bounds.schemaSize }, (_, at) => [`field_${at}`, text]));
const anything: AnyTool["execute"] = (args) => args;

/** Tools beside the tracker's: what they take and give lies at the edges of what a check can be sure of. */
export const oddTools: readonly AnyTool[] = [
  {
    name: "run_query",
    description: "Runs a query and returns its rows.",
    inputSchema: closed(
      {
        filter: closed({ status: text, after: text }, ["status"]),
        id: number,
        rows: { type: "array", items: closed({ label: text, n: number }, ["label"]) },
        when: text,
        expand: text,
        parent: { type: ["number", "null"] },
      },
      [],
    ),
    outputSchema: closed({ id: number, parent: { anyOf: [closed({ id: number }), { type: "null" }] } }),
    execute: () => ({ id: 1, parent: null }),
  },
  {
    name: "need_filter",
    description: "Runs a query that needs a filter and returns its rows.",
    inputSchema: closed({ filter: closed({ status: text }), tags: { type: "array", items: text } }, ["filter"]),
    outputSchema: { type: "array", items: closed({ id: number }) },
    execute: () => [{ id: 1 }, { id: 2 }],
  },
  {
    name: "get_totals",
    description: "Gets totals.",
    inputSchema: {},
    outputSchema: { type: "object", properties: { total: number }, required: ["total"] },
    execute: () => ({ total: 1, names: ["a"], note: "x" }),
  },
  {
    name: "keep_metadata",
    description: "Keeps what it is given and returns it.",
    inputSchema: { type: "object", properties: { name: text }, patternProperties: { "^_": false } },
    execute: anything,
  },
  {
    name: "get_big",
    description: "Gets what nobody checks.",
    inputSchema: {},
    outputSchema: closed(many, []),
    execute: () => ({ more: { text: "x" } }),
  },
  {
    name: "get_merged",
    description: "Gets what is put together.",
    inputSchema: {},
    outputSchema: {
      $defs: { base: { type: "object", properties: { id: number } } },
      $ref: "#/$defs/base",
      properties: { name: text },
      required: ["name"],
    },
    execute: () => ({ id: 1, name: "a", extra: "x" }),
  },
  {
    name: "get_pair",
    description: "Gets a pair.",
    inputSchema: {},
    outputSchema: closed({ id: number, name: text }),
    execute: () => ({ id: 1, name: "a" }),
  },
];
