// What one request shows the model, made once per surface: schemas in direct form, the code tool with its declarations in code form.
import type { JsonObject } from "../json.ts";
import { codeToolDescription } from "../prompt/code-tool.ts";
import { declare } from "../prompt/declarations.ts";
import type { Logger } from "../log.ts";
import type { Composed, Form } from "../registry/composition.ts";
import { callableBy } from "../registry/callers.ts";
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
  /** Equal as long as nothing visible changed. */
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

export interface ViewMaker {
  view(surface: Surface): TurnSurface;
}

export function createViews({
  form,
  codeTool,
  logger,
}: Pick<Composed<unknown>, "form" | "codeTool" | "logger">): ViewMaker {
  const made = new WeakMap<Surface, TurnSurface>();
  return {
    view(surface) {
      let view = made.get(surface);
      if (view === undefined) {
        view = makeView(surface, form, codeTool, logger);
        made.set(surface, view);
      }
      return view;
    },
  };
}

function makeView(surface: Surface, form: Form, codeTool: string, logger: Logger): TurnSurface {
  const declared = declare(
    callableBy(surface, "code").map(({ name, alias, tool }) => ({
      name,
      ...(alias === undefined ? {} : { alias }),
      description: tool.description,
      input: tool.input.json,
      ...(tool.output === undefined ? {} : { output: tool.output.json }),
    })),
  );
  for (const { message } of declared.warnings) logger.warn(message);
  const declarations = declared.text;
  const tools =
    form === "code"
      ? []
      : callableBy(surface, "direct").map(({ providerName, tool }) =>
          Object.freeze({ name: providerName, description: tool.description, inputSchema: tool.input.json }),
        );
  return Object.freeze({
    tools: Object.freeze(tools),
    ...(form === "direct"
      ? {}
      : {
          codeTool: Object.freeze({
            name: codeTool,
            description: codeToolDescription(declarations),
            inputSchema: codeToolSchema,
          }),
        }),
    declarations,
    hash: surface.hash,
  });
}
