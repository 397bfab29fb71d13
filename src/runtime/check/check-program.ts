// Whether a program may run, by what is surely wrong in it. What gets no answer runs, with a warning.
import type { Logger } from "../../log.ts";
import type { Surface } from "../../registry/surface.ts";
import type { CompileFailure } from "../compiled.ts";
import type { CheckMode } from "./mode.ts";
import type { TypeChecker } from "./type-checker.ts";
import { refusalOf, warningsOf } from "./words.ts";

export interface Verdict {
  readonly refusal?: CompileFailure;
  readonly warnings: readonly string[];
}

export interface ProgramCheck {
  readonly mode: CheckMode;
  readonly source: string;
  readonly surface: Surface;
  readonly logger: Logger;
}

const nothing: Verdict = Object.freeze({ warnings: Object.freeze([]) });
/** Whose absence was told. */
const told = new WeakSet<TypeChecker>();

/** Rejects with `runtime_closed` alone. */
export async function checkProgram(
  checker: TypeChecker,
  { mode, source, surface, logger }: ProgramCheck,
): Promise<Verdict> {
  if (mode === "off") return nothing;
  const checked = await checker.check(source, surface);
  if (checked.status === "unavailable") {
    if (!told.has(checker)) logger.warn(`programs run without a type check: ${checked.why}`);
    told.add(checker);
    return nothing;
  }
  if (checked.status === "unanswered") {
    const within = checked.limitMs === undefined ? "" : ` within ${checked.limitMs} ms`;
    return { warnings: [`the program was not type-checked: no answer${within}`] };
  }
  if (checked.findings.length === 0) return nothing;
  if (mode === "warn") return { warnings: warningsOf(checked.findings, surface) };
  return { refusal: await refusalOf(checked.findings, source, surface), warnings: [] };
}
