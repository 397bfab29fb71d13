// What one request shows the model: schemas in direct form, the code tool with its declarations in code form, made once per
// set of tools and order; and the prompt, assembled when it is asked for.
import type { JsonObject } from "../json.ts";
import { bounds } from "../limits.ts";
import type { Logger } from "../log.ts";
import type { Prompt } from "../prompt/history.ts";
import { present } from "../prompt/present.ts";
import type { Composed } from "../registry/composition.ts";
import type { Surface } from "../registry/surface.ts";

export interface ModelTool {
  /** Fit for a provider's tools array; `dispatch` takes it back. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface TurnSurface {
  /** The tools that the model may call directly; empty in `code` form. */
  readonly tools: readonly ModelTool[];
  /** Absent in `direct` form. */
  readonly codeTool?: ModelTool;
  /** The TypeScript that declares the tools to programs. */
  readonly declarations: string;
  /**
   * The prompt of the request that this surface is for, assembled when it is first read. Rejects with `prompt_invalid` where
   * its parts do not fit together, with `prompt_failed` where a function that gives one fails or does not answer, and with
   * what ended the turn.
   */
  readonly prompt: Promise<Prompt>;
  /** Equal as long as no visible tool changed. */
  readonly hash: string;
}

const codeToolSchema: JsonObject = Object.freeze({
  type: "object",
  properties: Object.freeze({
    code: Object.freeze({ type: "string", description: "The TypeScript program: statements with await and return" }),
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
  /** Sends warnings to the log, each once as long as not very many others come between. */
  warn(messages: readonly string[]): void;
}

type Home = Pick<Composed<unknown>, "form" | "codeTool" | "logger" | "declareIn" | "declarationTokens">;

export function createViews(home: Home): ViewMaker {
  const made = new WeakMap<Surface["tools"], { readonly order: unknown; readonly view: View }>();
  const warn = warnOnce(home.logger);
  return {
    warn,
    view(surface) {
      const order = surface.instructions.toolOrder;
      const known = made.get(surface.tools);
      if (known !== undefined && known.order === order) return known.view;
      const view = makeView(surface, home, warn);
      made.set(surface.tools, { order, view });
      return view;
    },
  };
}

function warnOnce(logger: Logger): ViewMaker["warn"] {
  const told = new Set<string>();
  return (messages) => {
    for (const message of messages) {
      if (told.has(message)) continue;
      if (told.size >= bounds.warnings) told.clear();
      told.add(message);
      logger.warn(message);
    }
  };
}

function makeView(surface: Surface, home: Home, warn: ViewMaker["warn"]): View {
  const { direct, declarations, codeToolDescription, promptText, warnings } = present(surface, home);
  warn(warnings);
  const tools = direct.map(({ providerName, tool }) =>
    Object.freeze({ name: providerName, description: tool.description, inputSchema: tool.input.json }),
  );
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
    shown: Object.freeze({ tools: Object.freeze(tools), ...codeTool, declarations, hash: surface.hash }),
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
