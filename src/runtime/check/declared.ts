import { isIdentifier } from "../../json-path.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { bounds } from "../../limits.ts";
import { declare, type Declarable } from "../../prompt/declarations.ts";
import { callableBy } from "../../registry/callers.ts";
import { copySchema } from "../../registry/copy-schema.ts";
import type { Schema } from "../../registry/schema.ts";
import type { OfferedTool, Surface } from "../../registry/surface.ts";
import { closedShapes } from "./closed-shapes.ts";
import type { Declared } from "./protocol.ts";

const anyObject: JsonObject = Object.freeze({ type: "object" });
const made = new WeakMap<Surface, Declared>();

/** What programs of a surface are checked against, made once. */
export function declaredOf(surface: Surface): Declared {
  let declared = made.get(surface);
  if (declared === undefined) {
    declared = makeDeclared(callableBy(surface, "code"));
    made.set(surface, declared);
  }
  return declared;
}

function makeDeclared(tools: readonly OfferedTool[]): Declared {
  const outputs: JsonValue[] = tools.flatMap(({ tool }) => (isChecked(tool.output) ? [tool.output.json] : []));
  const closedArguments = tools.flatMap(({ name, alias, tool }) => {
    const shapes = isChecked(tool.input) ? closedShapes([tool.input.json]) : [];
    return shapes.length === 0 ? [] : [name, alias ?? name].map((accessor) => [accessor, shapes] as const);
  });
  return {
    text: declare(tools.flatMap(declarables)).text,
    closedArguments: Object.fromEntries(closedArguments),
    closedResults: closedShapes(outputs),
  };
}

/** Whether values are held to the schema at all: of what is let through as it is, nothing is sure. */
function isChecked(schema: Schema | undefined): schema is Schema {
  return schema !== undefined && copySchema(schema.json, "a schema").size <= bounds.schemaSize;
}

/** What the model reads of a tool and, where that is another, the tool under its own name: programs may use either. */
function declarables({ name, alias, tool }: OfferedTool): readonly Declarable[] {
  const output = isChecked(tool.output) ? { output: tool.output.json } : {};
  const input = isChecked(tool.input) ? tool.input.json : anyObject;
  const own: Declarable = { name, description: tool.description, input, ...output };
  if (alias === undefined || isIdentifier(name)) return [own];
  // Declarations are kept by the schema object: a copy keeps the two apart.
  return [
    { ...own, alias },
    { ...own, input: { ...input } },
  ];
}
