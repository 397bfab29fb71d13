// The tools that codecall itself provides to a lean surface. What they do depends on the turn, which puts their bodies in.
import { outermost } from "./layer.ts";
import { makeTool } from "./make-tool.ts";
import type { AnyTool, Tool } from "./tool.ts";

/** Their source: no joined source can have it, and a scope of that name only with tools of the host's own. */
export const providedSource: string = `${outermost}/codecall`;

export const searchToolName = "search_tools";
export const readToolName = "read_file";

/** What can be searched for. */
export const searchKinds = ["any", "tool", "core", "mcp", "skill", "reference"] as const;
export type SearchKind = (typeof searchKinds)[number];

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;

function object(
  properties: Readonly<Record<string, unknown>>,
  optional: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

const outsideTurn = (): never => {
  throw new Error("a provided tool runs in a turn");
};

const definitions: readonly AnyTool[] = [
  {
    name: searchToolName,
    description:
      "Finds tools, skills and references by what you need, in plain words, and binds the tools it finds for your next step. Call it when no bound tool fits; never guess a tool's name.",
    inputSchema: object(
      {
        query: { ...text, minLength: 1, description: "What you need, e.g. refund an order" },
        kind: { enum: searchKinds, description: "Only these; any unless given" },
      },
      ["kind"],
    ),
    outputSchema: object({
      text: { ...text, description: "The answer in words" },
      hits: {
        type: "array",
        items: object({ name: text, kind: text, description: text }),
        description: "Best first; the name of a skill or reference is its path",
      },
      bound: { ...texts, description: "Callable from the next step on, and in this program as tools[name](args)" },
      declarations: { ...text, description: "Of what is bound, in TypeScript" },
    }),
    effects: ["read"],
    parallelSafe: true,
    execute: outsideTurn,
  },
  {
    name: readToolName,
    description:
      "Reads a text file, or a part of it, and returns its text. Skills and references are read by the path that search gives.",
    inputSchema: object(
      {
        path: { ...text, minLength: 1 },
        offset: { type: "integer", minimum: 0, description: "Bytes to skip; 0 unless given" },
      },
      ["offset"],
    ),
    outputSchema: object(
      {
        path: text,
        text,
        bytes: { type: "integer", description: "Of the whole file" },
        next: { type: "integer", description: "The offset to read on from; absent at the end" },
      },
      ["next"],
    ),
    effects: ["read"],
    parallelSafe: true,
    execute: outsideTurn,
  },
];

export const providedNames: readonly string[] = definitions.map(({ name }) => name);

/** Those of the provided tools that are listed. */
export function provideTools(alwaysOn: readonly string[], checkerPath: string): readonly Tool[] {
  return definitions
    .filter(({ name }) => alwaysOn.includes(name))
    .map((definition) =>
      makeTool(definition, { prefix: "", source: providedSource, warn: () => undefined, isStrict: true, checkerPath }),
    );
}
