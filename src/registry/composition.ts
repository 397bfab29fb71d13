import { Fault } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Redactor } from "../redact.ts";
import { checkAlwaysOn, type LeanSettings } from "./lean-options.ts";
import type { Surface } from "./surface.ts";
import type { Tool } from "./tool.ts";
import type { Warning } from "./warning.ts";

export type Form = "direct" | "code" | "both";

/** Where a model reads the declarations: in the code tool's description, or in the prompt. */
export type DeclareIn = "codeTool" | "prompt";

/** All that an agent is made of, handed to `join` by `start()`. */
export interface Composed<R> {
  readonly name: string;
  readonly scope: string;
  readonly form: Form;
  /** Present in `code` and `both`. */
  readonly runtime: R | undefined;
  readonly codeTool: string;
  readonly declareIn: DeclareIn;
  /** Of the declarations, four characters each. */
  readonly declarationTokens: number;
  /** Where the surface is lean. */
  readonly lean: LeanSettings | undefined;
  readonly logger: Logger;
  /** Where the host marks secrets. */
  readonly redactor: Redactor | undefined;
  /** The folders in which tools may act, absolute. */
  readonly roots: readonly string[];
  /** Hears of the JSON of every result that is ok, where output types are learned. */
  readonly observe: ((tool: Tool, json: string) => void) | undefined;
  /** Keeps a warning with the scope and logs it, once. */
  readonly warn: (warning: Warning) => void;
  /** The surface now; the same object until something registered changes. */
  surface(): Surface;
  /** Aborted when the scope is disposed. */
  readonly signal: AbortSignal;
}

/** Entries in any order, each once; nothing can be composed once it has started. */
export interface Composition<R, A> {
  readonly name: string;
  form(form: Form): void;
  runtime(runtime: R): void;
  /**
   * Joins an agent, at each call another one, and draws the warnings of its tools. Rejects with `cannot_start`, naming the
   * entry, where a form has no runtime or the runtime cannot run programs; a start that was refused can be tried again.
   */
  start(): Promise<A>;
}

const forms: readonly unknown[] = ["direct", "code", "both"] satisfies Form[];

/** What makes agents of compositions. */
export interface Joining<R, A> {
  readonly join: (composed: Composed<R>) => A | Promise<A>;
  /** Why programs cannot run in what was given as a runtime: what comes after "its runtime". */
  readonly unfit: (runtime: R) => string | undefined;
}

/** `base` is read when the composition starts, and throws where the scope is gone. */
export function makeComposition<R, A>(
  name: string,
  base: () => Omit<Composed<R>, "name" | "form" | "runtime">,
  { join, unfit }: Joining<R, A>,
): Composition<R, A> {
  let form: Form | undefined;
  let runtime: R | undefined;
  let started = false;

  function declare(entry: string, given: unknown, before: unknown): void {
    if (started)
      throw new Fault(
        "composition_started",
        `composition "${name}" has started; ${entry} must be given before start()`,
      );
    if (given === undefined || given === null)
      throw new Fault("invalid_options", `composition "${name}": ${entry} is missing`);
    if (before !== undefined)
      throw new Fault(
        "composed_twice",
        `composition "${name}" already has its ${entry}; it is declared once for every agent joined to it`,
      );
  }

  return Object.freeze<Composition<R, A>>({
    name,
    form(given) {
      declare("form", given, form);
      if (!forms.includes(given)) {
        throw new Fault(
          "invalid_options",
          `composition "${name}": form must be "direct", "code" or "both", got ${JSON.stringify(given)}`,
        );
      }
      form = given;
    },
    runtime(given) {
      declare("runtime", given, runtime);
      runtime = given;
    },
    async start() {
      const chosen = form ?? "direct";
      const problem = runtime === undefined ? undefined : unfit(runtime);
      if (problem !== undefined) {
        throw new Fault("cannot_start", `composition "${name}" cannot start: its runtime ${problem}`, {
          hint: "compose it with what `await createRuntime()` gives, and close that after its agents",
          details: { composition: name, entry: "runtime" },
        });
      }
      if (chosen !== "direct" && runtime === undefined) {
        throw new Fault("cannot_start", `composition "${name}" cannot start: form "${chosen}" needs a runtime`, {
          hint: "give it one with composition.runtime(runtime), then call start() again",
          details: { composition: name, entry: "form", form: chosen },
        });
      }
      const composed = Object.freeze<Composed<R>>({ ...base(), name, form: chosen, runtime });
      const surface = composed.surface();
      checkAlwaysOn(name, composed.lean, surface);
      started = true;
      if (chosen === "code") warnOfUncallable(surface, name, composed.warn);
      return join(composed);
    },
  });
}

/** In `code` form nothing is called but by programs. */
function warnOfUncallable(surface: Surface, composition: string, warn: (warning: Warning) => void): void {
  for (const { tool } of surface.tools) {
    if (tool.callers.includes("code")) continue;
    const message = `tool ${JSON.stringify(tool.name)} is for direct calls alone, of which composition "${composition}" has none: its form is "code"`;
    warn({ kind: "callers", tool: tool.name, source: tool.source, message });
  }
}
