// `results.get` and `show`: what a program asks codecall itself for. They are calls like any other, with a record entry each,
// and no surface has them: only a program's own `results` and `show` lead here.
import { bounds } from "../limits.ts";
import type { ProvidedName } from "../program-globals.ts";
import { makeTool } from "../registry/make-tool.ts";
import { providedSource } from "../registry/provided.ts";
import type { OfferedTool } from "../registry/surface.ts";
import type { AnyTool, ToolContext } from "../registry/tool.ts";
import { pageOf, type PageOptions } from "./page.ts";
import { referencesKey, type WithReferences } from "./references.ts";

const ref = { type: "string", maxLength: bounds.pathChars, description: "The ref of a reference" } as const;
const count = { type: "integer", minimum: 0 } as const;
const referencesOf = (context: ToolContext): WithReferences[typeof referencesKey] =>
  (context as ToolContext & WithReferences)[referencesKey];

const definitions: Readonly<Record<ProvidedName, AnyTool>> = {
  "results.get": {
    name: "results.get",
    description: "Returns what a reference stands for, or a part of it",
    inputSchema: {
      type: "object",
      properties: { ref, path: { type: "string" }, offset: count, limit: count },
      required: ["ref"],
      additionalProperties: false,
    },
    effects: ["read"],
    parallelSafe: true,
    callers: ["code"],
    execute: (args: PageOptions & { readonly ref: string }, context: ToolContext) =>
      pageOf(referencesOf(context).find(args.ref).value(), args),
  },
  show: {
    name: "show",
    description: "Hands what a reference stands for to whoever reads the answer; returns the reference",
    inputSchema: { type: "object", properties: { ref }, required: ["ref"], additionalProperties: false },
    effects: [],
    parallelSafe: true,
    callers: ["code"],
    execute: (args: { readonly ref: string }, context: ToolContext) => referencesOf(context).find(args.ref).reference,
  },
};

const made = new Map<string, OfferedTool>();

/** The tool behind a name of `providedFunctions`; made when it is first asked for. */
export function providedTool(name: string): OfferedTool | undefined {
  if (!Object.hasOwn(definitions, name)) return undefined;
  const known = made.get(name);
  if (known !== undefined) return known;
  const registration = { prefix: "", source: providedSource, warn: () => undefined, isStrict: true };
  const tool = makeTool(definitions[name as ProvidedName], registration);
  // Its number is that of no tool of a surface.
  const offered: OfferedTool = Object.freeze({ number: -1, name, providerName: name, alias: name, tool });
  made.set(name, offered);
  return offered;
}

/** Whether an entry of a record or journal is a call of `results.get` or `show`. */
export const isProvided = (entry: { readonly tool: string; readonly source: string }, name: ProvidedName): boolean =>
  entry.source === providedSource && entry.tool === name;
