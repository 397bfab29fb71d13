import type { Bound } from "../registry/bound.ts";
import { callableBy } from "../registry/callers.ts";
import type { Form } from "../registry/composition.ts";
import type { OfferedTool } from "../registry/surface.ts";
import { type ModelTool, modelTool } from "./model-tool.ts";

interface LeanView {
  readonly cacheBreakpoint?: string;
  readonly deferring?: readonly ModelTool[];
}

const deferred = new WeakMap<OfferedTool, ModelTool>();

/** What a lean surface tells of its tools array, `direct` being the tools in it. */
export function leanView(direct: readonly OfferedTool[], bound: Bound, form: Form): LeanView {
  const last = direct.findLast(({ number }) => number < bound.always);
  return {
    ...(last === undefined ? {} : { cacheBreakpoint: last.providerName }),
    ...(bound.deferLoading && form !== "code" ? { deferring: deferringTools(direct, bound) } : {}),
  };
}

/** Those bound whatever is found, then all that could be found. */
function deferringTools(direct: readonly OfferedTool[], { always, forced, others }: Bound): readonly ModelTool[] {
  const first = direct.filter(({ number }) => number < always + forced);
  const names = new Set(first.map(({ name }) => name));
  const rest = callableBy({ tools: others }, "direct").filter(({ name }) => !names.has(name));
  return Object.freeze([...first.map(modelTool), ...rest.map(deferredTool)]);
}

function deferredTool(offered: OfferedTool): ModelTool {
  let tool = deferred.get(offered);
  if (tool === undefined) deferred.set(offered, (tool = Object.freeze({ ...modelTool(offered), deferLoading: true })));
  return tool;
}
