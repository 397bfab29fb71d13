// What a model emits passes the loop guard on its way in, and its answer on its way back.
import { askOf } from "../bridge/ask.ts";
import { canonicalJson, parseJson } from "../json.ts";
import type { World } from "../policy/loop-guard.ts";
import { providedSource, searchToolName } from "../registry/provided.ts";
import type { RunResult } from "../runtime/result.ts";
import type { DispatchHome, ToolUse, ToolUseResult } from "./tool-use.ts";

/** Why a call is refused before anything is looked at. */
export interface Barred {
  readonly code: "turn_ended" | "repeated_call";
  readonly message: string;
}

export function bar(use: ToolUse, key: string | undefined, home: DispatchHome): Barred | undefined {
  const { loop } = home.emitted;
  if (loop.ended !== undefined) return { code: "turn_ended", message: loop.ended };
  const message = key === undefined ? undefined : loop.before(key, use.name, worldOf(home));
  return message === undefined ? undefined : { code: "repeated_call", message };
}

export function noteAnswer(key: string | undefined, result: ToolUseResult, home: DispatchHome): void {
  if (key === undefined) return;
  const own = result.run?.calls.filter(({ effect }) => effect !== "none").length ?? Number(hasEffect(result));
  const said = result.run === undefined ? `${result.isError} ${result.content}` : saidBy(result.run);
  home.emitted.loop.after(key, said, own, worldOf(home));
}

/** What a program came to, without the id of its run. */
function saidBy(run: RunResult): string {
  const end =
    run.status === "completed" ? run.value : run.status === "suspended" ? "" : [run.error.code, run.error.message];
  return JSON.stringify([run.status, end, run.console]);
}

const hasEffect = ({ outcome }: ToolUseResult): boolean => outcome !== undefined && outcome.effect !== "none";

const worldOf = ({ surface, grantsSeen, emitted }: DispatchHome): World => ({
  stamp: `${surface.hash} ${grantsSeen()}`,
  effects: emitted.effects,
});

/** The same for the same tool, by its identity, and the same arguments in whatever order of keys; `undefined` for what is no JSON. */
export function keyOf(use: ToolUse, { surface }: DispatchHome): string | undefined {
  const { args, unusable } = askOf("model", use.name, use.input);
  if (unusable !== undefined) return undefined;
  const tool = (surface.byProviderName(use.name) ?? surface.find(use.name))?.tool;
  // Searches are told apart by their words, elsewhere.
  if (tool?.source === providedSource && tool.originalName === searchToolName) return undefined;
  return JSON.stringify([tool?.source ?? "", tool?.originalName ?? use.name, canonicalJson(parseJson(args))]);
}
