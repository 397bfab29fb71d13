// What one request shows the model: schemas in direct form, the code tool with its declarations in code form, made once per
// set of tools and order; and the prompt, assembled when it is asked for.
import type { JsonObject } from "../json.ts";
import { bounds } from "../limits.ts";
import type { Prompt } from "../prompt/history.ts";
import { presentLean } from "../prompt/present-lean.ts";
import { present, wholePrompt } from "../prompt/present.ts";
import type { Composed } from "../registry/composition.ts";
import type { Surface } from "../registry/surface.ts";
import type { Warning } from "../registry/warning.ts";
import { leanView } from "./lean-view.ts";
import { type ModelTool, modelTool } from "./model-tool.ts";

export interface TurnSurface {
  /** The tools that the model may call directly; empty in `code` form. */
  readonly tools: readonly ModelTool[];
  /** Absent in `direct` form. */
  readonly codeTool?: ModelTool;
  /** Of a lean surface: the last of `tools` that every request of the agent shows; a provider's cache breaks after it. */
  readonly cacheBreakpoint?: string;
  /**
   * Of a lean surface with `deferLoading`: what stands in place of `tools` where a provider loads tools that a search's
   * `toolReferences` name. No search changes it.
   */
  readonly deferring?: readonly ModelTool[];
  /** The TypeScript that declares the tools to programs. */
  readonly declarations: string;
  /**
   * The prompt of the request that this surface is for, assembled when it is first read. Rejects with `prompt_invalid` where
   * its parts do not fit together, with `prompt_failed` where a function that gives one fails or does not answer, and with
   * what ended the turn.
   */
  readonly prompt: Promise<Prompt>;
  /** Equal as long as no visible tool changed, nor their named order. */
  readonly hash: string;
}

const codeToolSchema: JsonObject = Object.freeze({
  type: "object",
  properties: Object.freeze({
    code: Object.freeze({ type: "string", description: "The TypeScript program: statements with await and return" }),
    continue: Object.freeze({ type: "string", description: "Id of a failed run: what it completed is not done again" }),
  }),
  required: Object.freeze(["code"]),
  additionalProperties: false,
});

/** What is shown of a surface beside its prompt, and the prompt's part on tools. */
export interface View {
  readonly shown: Omit<TurnSurface, "prompt">;
  /** Throws `prompt_invalid` where the order of tools cannot be followed. */
  readonly describeTools: () => string;
}

export interface ViewMaker {
  view(surface: Surface): View;
  /** Warns the scope of what is odd about the prompt: each once, and of no more than `bounds.warnings`. */
  warn(warnings: readonly Warning[]): void;
}

type Home = Pick<Composed<unknown>, "form" | "codeTool" | "warn" | "declareIn" | "declarationTokens">;

export function createViews(home: Home): ViewMaker {
  const made = new WeakMap<Surface["tools"], { readonly of: readonly unknown[]; readonly view: View }>();
  const warn = warnOnce(home.warn);
  return {
    warn,
    view(surface) {
      const { toolOrder, sections } = surface.instructions;
      const of = [toolOrder, wholePrompt(sections)];
      const known = made.get(surface.tools);
      if (known?.of.every((part, index) => part === of[index]) === true) return known.view;
      const view = makeView(surface, home, warn);
      made.set(surface.tools, { of, view });
      return view;
    },
  };
}

function warnOnce(warn: Home["warn"]): ViewMaker["warn"] {
  const told = new Set<string>();
  return (warnings) => {
    for (const warning of warnings) {
      if (told.has(warning.message) || told.size >= bounds.warnings) continue;
      told.add(warning.message);
      warn(warning);
    }
  };
}

function makeView(surface: Surface, home: Home, warn: ViewMaker["warn"]): View {
  const { bound } = surface;
  const presented = bound === undefined ? present(surface, home) : presentLean(surface, bound, home);
  const { direct, declarations, codeToolDescription, promptText, warnings } = presented;
  warn(warnings);
  const tools = direct.map(modelTool);
  const lean = bound === undefined ? {} : leanView(direct, bound, home.form);
  const codeTool =
    codeToolDescription === undefined
      ? {}
      : {
          codeTool: Object.freeze({
            name: home.codeTool,
            description: codeToolDescription,
            inputSchema: codeToolSchema,
          }),
        };
  return {
    shown: Object.freeze({ tools: Object.freeze(tools), ...codeTool, ...lean, declarations, hash: surface.hash }),
    describeTools: promptText,
  };
}

/** A surface whose prompt is made when it is first read; that nobody waits for one that rejects is nobody's fault. */
export function withPrompt({ shown }: View, make: () => Promise<Prompt>): TurnSurface {
  let prompt: Promise<Prompt> | undefined;
  return Object.freeze({
    ...shown,
    get prompt() {
      if (prompt === undefined) {
        prompt = make();
        prompt.catch(() => undefined);
      }
      return prompt;
    },
  });
}
