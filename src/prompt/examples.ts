import { commentLines } from "./comment-text.ts";
import { isObject } from "../is-object.ts";
import { isIdentifier } from "../json-path.ts";
import { valueText } from "./literal-text.ts";
import { isList } from "./schema-index.ts";
import type { JsonObject, JsonValue } from "../json.ts";

const maxExamples = 2;
const maxExampleChars = 300;

/** Calls with the arguments that an input schema gives as examples; long ones are left out. */
export function exampleLines(schema: JsonValue, accessor: string): readonly string[] {
  return examplesOf(schema)
    .filter((value) => isObject(value))
    .map((value) => `Example: ${callText(accessor, value)}`)
    .filter((line) => line.length <= maxExampleChars)
    .slice(0, maxExamples)
    .flatMap((line) => commentLines(line));
}

// A schema that cannot be read is told of where its type is read.
function examplesOf(schema: JsonValue): readonly JsonValue[] {
  try {
    if (!isObject(schema)) return [];
    const { examples, example } = schema;
    return isList(examples) ? examples : example === undefined ? [] : [example];
  } catch {
    return [];
  }
}

function callText(accessor: string, args: JsonObject): string {
  const callee = isIdentifier(accessor) ? `tools.${accessor}` : `tools[${valueText(accessor)}]`;
  return `${callee}(${Object.keys(args).length === 0 ? "" : valueText(args)})`;
}

/** The schema for its type: examples of the whole are shown as calls, not as a note. */
export function withoutExamples({ examples: _, example: __, ...schema }: JsonObject): JsonObject {
  return schema;
}
