import { Fault } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Surface } from "./surface.ts";
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
  readonly logger: Logger;
  /** The surface now; the same object until something registered changes. */
  surface(): Surface;
  /** Aborted when the scope is disposed. */
  readonly signal: AbortSignal;
}

/** Entries in any order, each once; nothing can be composed once `start()` was called. */
export interface Composition<R, A> {
  readonly name: string;
  form(form: Form): void;
  runtime(runtime: R): void;
  /** Joins an agent, at each call another one, and draws the warnings of its tools; refused with `cannot_start` where an entry misses what it needs. */
  start(): Promise<A>;
}

const forms: readonly unknown[] = ["direct", "code", "both"] satisfies Form[];

/** `base` is read when the composition starts, and throws where the scope is gone. */
export function makeComposition<R, A>(
  name: string,
  base: () => Omit<Composed<R>, "name" | "form" | "runtime">,
  join: (composed: Composed<R>) => A | Promise<A>,
  warn: (warning: Warning) => void,
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
      started = true;
      const chosen = form ?? "direct";
      if (chosen !== "direct" && runtime === undefined) {
        throw new Fault("cannot_start", `composition "${name}" cannot start: form "${chosen}" needs a runtime`, {
          hint: "give it one with composition.runtime(runtime) before start()",
          details: { composition: name, entry: "form", form: chosen },
        });
      }
      const composed = Object.freeze<Composed<R>>({ ...base(), name, form: chosen, runtime });
      const surface = composed.surface();
      if (chosen === "code") warnOfUncallable(surface, name, warn);
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
