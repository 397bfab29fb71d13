import { hash } from "node:crypto";
import { Fault } from "../errors.ts";
import { firstSentence } from "../first-sentence.ts";
import { canonicalJson, type JsonValue } from "../json.ts";
import { badName, checkDefinition } from "./define-tool.ts";
import { namesProto } from "./proto-names.ts";
import { readSchema, type Schema } from "./schema.ts";
import type { AnyTool, Caller, Tool } from "./tool.ts";
import { prepareUnknownKeys } from "./unknown-keys.ts";
import type { Warning } from "./warning.ts";

const allCallers: readonly Caller[] = Object.freeze<Caller[]>(["direct", "code"]);
const sentenceChars = 300;
const saysWhatComes =
  /\b(returns?|returned|lists?|finds?|gets?|counts?|fetch(es)?|reads?|searches|shows?|retrieves?|queries|query|calculates?|computes?|checks?|looks? up|gives?|answers?)\b/i;

export interface Registration {
  readonly prefix: string;
  readonly source: string;
  readonly warn: (warning: Warning) => void;
  /** A broken schema refuses the tool instead of leaving its values unchecked: its author is there to mend it. */
  readonly isStrict: boolean;
  readonly untrusted?: boolean;
  /** As of `SchemaUse`. */
  readonly checkerPath?: string;
}

/** A definition as a registered tool; throws `invalid_tool` or `schema_unsupported`, and warns of what only degrades. */
export function makeTool(
  definition: AnyTool,
  { prefix, source, warn, isStrict, checkerPath, untrusted = false }: Registration,
): Tool {
  const checked = checkDefinition(definition, { anySchema: true });
  const name = prefix + checked.name;
  const wrong = badName(name);
  if (wrong !== undefined) throw new Fault("invalid_tool", `tool ${JSON.stringify(name)}: name must be ${wrong}`);
  let isBroken = false;
  const read = (field: "inputSchema" | "outputSchema"): Schema =>
    readSchema(checked[field], {
      what: `tool ${JSON.stringify(name)}, ${field}`,
      io: field === "inputSchema" ? "input" : "output",
      ...(checkerPath === undefined ? {} : { checkerPath }),
      warn(message) {
        if (field === "inputSchema") isBroken = true;
        warn({ kind: "schema", tool: name, source, message });
      },
      ...(isStrict ? { fail: (message: string) => refuse(`tool ${JSON.stringify(name)}, ${field} ${message}`) } : {}),
    });
  const input = read("inputSchema");
  for (const message of describeWarnings(checked))
    warn({ kind: "description", tool: name, source, message: `tool ${JSON.stringify(name)}: ${message}` });
  if (!isBroken && !takesObject(input)) {
    const message = `tool ${JSON.stringify(name)}, inputSchema accepts no object, so no call can match it`;
    if (isStrict) refuse(message);
    warn({ kind: "schema", tool: name, source, message });
  }
  if (namesProto(input.json)) {
    const message = `tool ${JSON.stringify(name)}, inputSchema names a property "__proto__", which no program can pass, since in an object literal that name sets the prototype`;
    if (isStrict) throw new Fault("invalid_tool", message, { hint: "give the property another name" });
    warn({ kind: "schema", tool: name, source, message });
  }
  if (checked.gated === true)
    warn({
      kind: "gated",
      tool: name,
      source,
      message: `tool ${JSON.stringify(name)} is gated: it is not offered until something binds it`,
    });
  const output = checked.outputSchema === undefined || checked.outputSchema === null ? undefined : read("outputSchema");
  const callers =
    checked.callers === undefined ? allCallers : allCallers.filter((one) => checked.callers?.includes(one));
  return Object.freeze<Tool>({
    name,
    source,
    originalName: checked.name,
    description: checked.description,
    input,
    output,
    effects: checked.effects,
    callers,
    fingerprint: fingerprint([name, checked.description, input.json, output?.json ?? null, callers]),
    strayKeys: prepareUnknownKeys(input.json),
    untrusted,
    definition: checked,
  });
}

const fingerprint = (shown: JsonValue): string => hash("sha256", canonicalJson(shown));

function refuse(message: string): never {
  throw new Fault("invalid_tool", message);
}

/** What a description lacks for a model to choose the tool well. */
export function describeWarnings({
  description,
  outputSchema,
}: Pick<AnyTool, "description" | "outputSchema">): readonly string[] {
  if (description.trim() === "") return ["the description is empty"];
  const first = firstSentence(description);
  const warnings: string[] = [];
  if (first.length > sentenceChars)
    warnings.push(
      `the first sentence of the description is ${first.length} characters long; ${sentenceChars} is the most that reads well`,
    );
  if ((outputSchema === undefined || outputSchema === null) && !saysWhatComes.test(description)) {
    warnings.push("neither an output schema nor the description says what the tool returns");
  }
  return warnings;
}

function takesObject({ json: { type } }: Schema): boolean {
  return typeof type === "string" ? type === "object" : !Array.isArray(type) || type.includes("object");
}
