import { isObject } from "../is-object.ts";
import { bounds } from "../limits.ts";
import { nestsDeeper } from "../registry/depth.ts";
import { matchesGlob } from "../registry/glob.ts";
import type { AnyTool, Effects, ToolContext } from "../registry/tool.ts";
import type { ValueRules } from "./values.ts";

export interface Override {
  readonly effects?: Effects | undefined;
  readonly parallelSafe?: boolean | undefined;
}

export interface DefinitionOptions {
  /** Whether what the server says of its tools' effects is believed. */
  readonly trusted: boolean;
  readonly keywords: readonly string[];
  /** By glob over the server's own names; of several that match, the later wins. */
  readonly overrides: Readonly<Record<string, Override>>;
  readonly timeoutMs: number | undefined;
}

type Execute = (
  name: string,
  args: Readonly<Record<string, unknown>>,
  rules: ValueRules,
  context: ToolContext,
) => Promise<unknown>;

/** One entry of a server's list as a tool under its own name; what is broken in it is left for registration to judge. */
export function defineListed(listed: unknown, options: DefinitionOptions, execute: Execute): AnyTool {
  const entry = isObject(listed) ? listed : {};
  const name = typeof entry.name === "string" ? entry.name : "";
  const annotations = isObject(entry.annotations) ? entry.annotations : {};
  const output = readOutput(entry.outputSchema);
  const definition: Mutable<AnyTool> = {
    name,
    description:
      ([entry.description, entry.title, annotations.title].find(
        (text) => typeof text === "string" && text !== "",
      ) as string) ?? "",
    keywords: options.keywords,
    execute: (args: Readonly<Record<string, unknown>>, context: ToolContext) =>
      execute(name, args, output.rules, context),
  };
  // A schema that is no object is handed on as it is: registration names the tool and lets any arguments through.
  definition.inputSchema = entry.inputSchema as Readonly<Record<string, unknown>> | null;
  if (output.schema !== undefined) definition.outputSchema = output.schema as Readonly<Record<string, unknown>> | null;
  if (options.timeoutMs !== undefined) definition.timeoutMs = options.timeoutMs;
  if (options.trusted) Object.assign(definition, readAnnotations(annotations));
  for (const [glob, override] of Object.entries(options.overrides)) {
    if (!matchesGlob(glob, name)) continue;
    if (override.effects !== undefined) definition.effects = override.effects;
    if (override.parallelSafe !== undefined) definition.parallelSafe = override.parallelSafe;
  }
  return Object.freeze(definition);
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

function readAnnotations(
  hints: Readonly<Record<string, unknown>>,
): Pick<AnyTool, "effects" | "parallelSafe" | "idempotent"> {
  if (hints.readOnlyHint === true) return { effects: ["read"], parallelSafe: true };
  const idempotent = hints.idempotentHint === true ? { idempotent: true } : {};
  if (hints.openWorldHint === true) return { effects: ["write", "external"], ...idempotent };
  const says = [hints.readOnlyHint, hints.destructiveHint, hints.idempotentHint, hints.openWorldHint].some(
    (hint) => hint !== undefined,
  );
  return says ? { effects: ["write"], ...idempotent } : {};
}

function readOutput(schema: unknown): { readonly schema: unknown; readonly rules: ValueRules } {
  if (!isObject(schema)) return { schema, rules: { wrapped: false, text: false } };
  const inner = isObject(schema.properties) ? schema.properties.result : undefined;
  // What nests too deep is not looked into: registration does not keep it.
  if (schema["x-fastmcp-wrap-result"] !== true || !isObject(inner) || nestsDeeper(inner, bounds.schemaDepth)) {
    return { schema, rules: { wrapped: false, text: schema.type === "string" } };
  }
  const { $schema, $defs, definitions } = schema;
  const carried = Object.fromEntries(
    Object.entries({ $schema, $defs, definitions }).filter(([, value]) => value !== undefined),
  );
  // References into the wrapper itself would dangle; then the value goes undeclared rather than wrongly declared.
  const dangling = /"#(?:\/properties\/[^"]*)?"/.test(JSON.stringify(inner));
  return {
    schema: dangling ? undefined : { ...carried, ...inner },
    rules: { wrapped: true, text: inner.type === "string" },
  };
}
