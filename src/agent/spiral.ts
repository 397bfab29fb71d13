// What a model reads beside the third failure of one kind: how the tools that its program uses are declared, and a program that works.
import { declare } from "../prompt/declarations.ts";
import { catalogueOf } from "../prompt/offered.ts";
import { callableBy } from "../registry/callers.ts";
import type { OfferedTool, Surface } from "../registry/surface.ts";
import { sampleCall } from "../runtime/check/sample-call.ts";
import type { RunResult } from "../runtime/result.ts";

/** Failures of one kind in a turn from which on the answer carries more. */
export const spiralFrom = 3;

const toolsAtMost = 3;
const uses = /\btools(?:\s*\.\s*([\w$]+)|\s*\[\s*["'`]([^"'`]+)["'`]\s*\])/g;

/** The declarations in question and a minimal working call, in so many characters; empty where the program uses no tool that there is. */
export async function spiralHelp(code: string, run: RunResult, surface: Surface, maxChars: number): Promise<string> {
  const tools = inQuestion(code, run, surface);
  const [first] = tools;
  if (first === undefined) return "";
  const { text } = declare(catalogueOf({ tools }));
  const call = await sampleCall(first);
  const parts = [
    "Programs of this turn keep failing in this way. The declarations in question:",
    text.trimEnd(),
    ...(call === undefined ? [] : [`A minimal program that works:\nreturn ${call};`]),
  ];
  const told = parts.join("\n");
  return told.length <= maxChars ? told : `${told.slice(0, Math.max(0, maxChars - 1))}…`;
}

/** The tools whose calls failed, then those that the program names, nearest names in place of unknown ones. */
function inQuestion(code: string, run: RunResult, surface: Surface): readonly OfferedTool[] {
  const failed = run.calls.filter(({ failure }) => failure !== undefined).map(({ tool }) => tool);
  const named = [...code.matchAll(uses)].map(([, dotted, quoted]) => dotted ?? quoted ?? "");
  const callable = new Set(callableBy(surface, "code"));
  const found = new Set<OfferedTool>();
  for (const name of [...failed, ...named]) {
    const tool = surface.find(name) ?? surface.find(surface.nearest(name)[0] ?? "");
    if (tool !== undefined && callable.has(tool)) found.add(tool);
  }
  return [...found].slice(0, toolsAtMost);
}
