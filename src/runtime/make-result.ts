import type { Redactor } from "../redact.ts";
import { renderForModel } from "./report.ts";
import type { ModelTextOptions, RunParts, RunResult } from "./result.ts";

export function makeResult(parts: RunParts): RunResult {
  const toModel = (options?: ModelTextOptions): string => renderForModel(parts, options);
  return Object.freeze(
    Object.defineProperty({ ...parts }, "toModel", { value: toModel, enumerable: false }),
  ) as RunResult;
}

/** The same result without secrets, but for the value that the host gets. */
export function withoutSecrets(result: RunResult, redactor: Redactor | undefined): RunResult {
  if (redactor === undefined) return result;
  const told = redactor.value<RunParts>({ ...result });
  const parts: RunParts = result.status === "completed" ? { ...told, ...valueOf(result) } : told;
  const toModel = (options?: ModelTextOptions): string => renderForModel(told, options);
  return Object.freeze(
    Object.defineProperty({ ...parts }, "toModel", { value: toModel, enumerable: false }),
  ) as RunResult;
}

const valueOf = ({ value }: RunResult & { readonly status: "completed" }) => ({ value });

/** The same result with one more warning. */
export const withWarning = (result: RunResult, warning: string): RunResult =>
  makeResult({ ...result, warnings: [...result.warnings, warning] });
