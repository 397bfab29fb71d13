// What the model reads of what a check found: the most useful first, a few at most, with the call as it should be.
import { pathStep } from "../../json-path.ts";
import { bounds } from "../../limits.ts";
import { nearest } from "../../nearest.ts";
import { callableBy } from "../../registry/callers.ts";
import type { OfferedTool, Surface } from "../../registry/surface.ts";
import { codeFrame } from "../code-frame.ts";
import type { CompileFailure } from "../compiled.ts";
import type { Finding, Step } from "./findings.ts";
import { accessorOf, sampleCall, type Shown } from "./sample-call.ts";

/** The causes of others come first. */
const order: readonly Finding["kind"][] = ["tool", "await", "count", "unlisted", "missing", "mistyped", "field"];
const listed = 12;

function inOrder(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.line - b.line || a.column - b.column,
  );
}

/** The failure that says what is wrong; there is at least one finding. */
export async function refusalOf(
  findings: readonly Finding[],
  source: string,
  surface: Surface,
): Promise<CompileFailure> {
  const [first, ...others] = inOrder(findings);
  if (first === undefined) throw new Error("nothing was found");
  const { line, column } = first;
  const told = others.slice(0, bounds.findings - 1).map((one) => `Also at line ${one.line}: ${wordsOf(one, surface)}`);
  const more = others.length - told.length;
  const message = [wordsOf(first, surface), ...told, ...(more > 0 ? [`And ${more} more.`] : [])].join("\n");
  const hint = await hintOf(first, surface);
  return {
    code: "type_error",
    message,
    ...(hint === undefined ? {} : { hint }),
    line,
    column,
    frame: codeFrame(source, { line, column }),
  };
}

/** The same as warnings, one a finding. */
export function warningsOf(findings: readonly Finding[], surface: Surface): readonly string[] {
  const told = inOrder(findings).slice(0, bounds.findings);
  const texts = told.map((one) => `type check, line ${one.line}, column ${one.column}: ${wordsOf(one, surface)}`);
  const more = findings.length - told.length;
  return more > 0 ? [...texts, `type check: ${more} more`] : texts;
}

const nameChars = 100;

const short = (name: string): string => (name.length <= nameChars ? name : `${name.slice(0, nameChars)}…`);
const quote = (name: string): string => `"${short(name)}"`;
const quoted = (names: readonly string[]): string => listOf(names.map(quote));
const meant = (name: string | undefined): string => (name === undefined ? "" : `; did you mean ${name}?`);
const pathText = (path: readonly Step[]): string => short(path.map(pathStep).join("").replace(/^\./, ""));
const listOf = (texts: readonly string[]): string =>
  texts.length <= listed ? texts.join(", ") : `${texts.slice(0, listed).join(", ")} and ${texts.length - listed} more`;
const holds = (names: readonly string[]): string =>
  `; it has ${names.length === 0 ? "none" : listOf(names.map(short))}`;

/** A tool as programs name it. */
function called(name: string, surface: Surface): string {
  const tool = surface.find(name);
  return tool === undefined ? `tools${pathStep(name)}` : accessorOf(tool);
}

type Words = { readonly [K in Finding["kind"]]: (finding: Finding & { kind: K }, surface: Surface) => string };

const words: Words = {
  tool: ({ name }, surface) =>
    surface.bound?.hint(name) === undefined
      ? `there is no tool ${quote(name)}${meant(nearTools(name, surface)[0])}`
      : `the tool ${quote(name)} is not bound`,
  await: ({ call, use }) => `${call}(...) gives a promise, which is used as ${useText(use)}: await it first`,
  count: ({ tool, count }, surface) =>
    `${called(tool, surface)} takes one object with its arguments, got ${count === 0 ? "none" : `${count} values`}`,
  unlisted({ tool, path, name, near, known }, surface) {
    const instead = near === undefined ? holds(known) : meant(quote(near));
    return `${called(tool, surface)} has no argument ${quote(name)}${placeOf(path)}${instead}`;
  },
  missing: ({ tool, path, names }, surface) => `${called(tool, surface)} needs ${quoted(names)}${placeOf(path)}`,
  mistyped({ tool, path, expected, came, near }, surface) {
    const what = path.length === 0 ? "one object" : `"${pathText(path)}" as ${expected}`;
    return `${called(tool, surface)} takes ${what}, got ${came}${meant(near === undefined ? undefined : quote(near))}`;
  },
  field({ of, name, is, near, known }) {
    if (is !== "object") return `${of} has no field ${quote(name)}; it is ${is === "array" ? "an" : "a"} ${is}`;
    return `${of} has no field ${quote(name)}${near === undefined ? holds(known) : meant(quote(near))}`;
  },
};

function wordsOf<K extends Finding["kind"]>(finding: Finding & { kind: K }, surface: Surface): string {
  return words[finding.kind](finding, surface);
}

const placeOf = (path: readonly Step[]): string => (path.length === 0 ? "" : ` in ${pathText(path)}`);

function useText(use: string): string {
  if (use === "an argument" || use === "a list" || use === "a value") return use;
  return use.startsWith(".") ? `if it were its value (${use})` : `a side of ${use}`;
}

function nearTools(name: string, surface: Surface): readonly string[] {
  const tools = callableBy(surface, "code");
  const byName = new Map(tools.map((tool) => [tool.name, accessorOf(tool)]));
  return nearest(name, [...byName.keys()]).flatMap((near) => byName.get(near) ?? []);
}

/** A call that works, of the tool that is meant. */
async function hintOf(finding: Finding, surface: Surface): Promise<string | undefined> {
  if (finding.kind === "await") return `Write await ${finding.call}(...), in brackets where more follows.`;
  if (finding.kind === "field") return undefined;
  if (finding.kind !== "tool") return callHint(surface.find(finding.tool), shownOf(finding));
  const unbound = surface.bound?.hint(finding.name);
  if (unbound !== undefined) return unbound;
  const tools = callableBy(surface, "code");
  const [best] = nearTools(finding.name, surface);
  if (best !== undefined) return callHint(tools.find((tool) => accessorOf(tool) === best));
  return tools.length === 0 ? "There are no tools here." : `Tools: ${listOf(tools.map(accessorOf))}.`;
}

/** The argument that the finding is about, as it should be. */
function shownOf(finding: Finding): Shown | undefined {
  if (finding.kind === "mistyped") {
    return { path: finding.path, ...(finding.near === undefined ? {} : { value: finding.near }) };
  }
  if (finding.kind !== "unlisted") return undefined;
  return { path: finding.near === undefined ? finding.path : [...finding.path, finding.near] };
}

async function callHint(tool: OfferedTool | undefined, shown?: Shown): Promise<string | undefined> {
  const call = tool === undefined ? undefined : await sampleCall(tool, shown);
  return call === undefined ? undefined : `A call that works: ${call}`;
}
