import { renderForModel } from "./report.ts";
import type { ModelTextOptions, RunParts, RunResult } from "./result.ts";

export function makeResult(parts: RunParts): RunResult {
  const toModel = (options?: ModelTextOptions): string => renderForModel(parts, options);
  return Object.freeze(
    Object.defineProperty({ ...parts }, "toModel", { value: toModel, enumerable: false }),
  ) as RunResult;
}

/** The same result with one more warning. */
export const withWarning = (result: RunResult, warning: string): RunResult =>
  makeResult({ ...result, warnings: [...result.warnings, warning] });
