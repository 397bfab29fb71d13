import type { Reference } from "../bridge/references.ts";
import type { Step } from "../bridge/step.ts";
import type { Told } from "../lean/lean-turn.ts";
import type { Redactor } from "../redact.ts";
import type { Form } from "../registry/composition.ts";
import type { Surface } from "../registry/surface.ts";
import type { RunResult } from "../runtime/result.ts";
import type { Emissions } from "./deduplicate.ts";
import type { Emitted } from "./emitted.ts";
import type { CallOutcome } from "./outcome.ts";

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolUseResult {
  readonly id: string;
  readonly name: string;
  readonly isError: boolean;
  /** What the model reads. */
  readonly content: string;
  /** Of a search of a surface with `deferLoading`: the tools that it bound, for a provider that loads them by reference. */
  readonly toolReferences?: readonly string[];
  readonly outcome?: CallOutcome;
  /** The model had made the same call before in this turn: nothing ran, and this is what came of the first. */
  readonly deduplicated?: true;
  /** Of the code tool. */
  readonly run?: RunResult;
}

export interface DispatchBlock {
  readonly results: readonly ToolUseResult[];
  /** Why the model makes no more calls in this turn: the next request permits no tool, and its answer is the final one. */
  readonly ended?: string;
}

export interface DispatchHome {
  readonly form: Form;
  readonly codeTool: string;
  readonly surface: Surface;
  readonly step: Step;
  readonly signal: AbortSignal;
  readonly maxTokens: number | undefined;
  readonly emitted: Emitted;
  readonly emissions: Emissions;
  /** Keeps a value that the model is shown shortened, where it can read the rest with a program. */
  readonly pages: ((json: string) => Reference | undefined) | undefined;
  /** Goes up with every grant, its use and its revocation. */
  readonly grantsSeen: () => number;
  /** True once, when the budget of the turn has become low. */
  readonly isLow: () => boolean;
  /** What a model reads of a result in place of its JSON. */
  readonly tell: (surface: Surface, name: string, json: string) => Told | undefined;
  readonly redactor: Redactor | undefined;
  /** `former`: the id of the failed run that the program continues. */
  readonly run: (code: string, former: string | undefined) => Promise<RunResult>;
}
