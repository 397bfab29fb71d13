import { Fault, messageOf } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { bounds } from "../limits.ts";
import { nestsDeeper } from "./depth.ts";

export interface SchemaCopy {
  /** Frozen; undefined where the schema is too large to be kept. */
  readonly json: JsonObject | undefined;
  /** In the unit of `bounds.schemaSize`; of one that is not kept, how far it was counted. */
  readonly size: number;
}

const itemsAtOnce = 4;
const charsAtOnce = 64;
/** Shown, but never compiled. */
const notes: readonly string[] = ["description", "title", "$comment"];

/** Throws `schema_unsupported` for what is not JSON; what is shared counts each time that it would be written. */
export function copySchema(given: object, what: string): SchemaCopy {
  let size = 0;
  let noted = 0;
  function count(this: unknown, key: string, value: unknown): unknown {
    const isItem = Array.isArray(this);
    const isText = typeof value === "string";
    let more = isItem && (typeof value !== "object" || value === null) ? 1 / itemsAtOnce : 1;
    if (!isItem) more += key.length / charsAtOnce;
    if (isText) more += value.length / charsAtOnce;
    if (isText && notes.includes(key)) noted += more;
    else size += more;
    if (size + noted > bounds.schemaKept) throw new RangeError("too large");
    return value;
  }
  try {
    const json = JSON.parse(JSON.stringify(given, count)) as JsonObject;
    return { json: nestsDeeper(json, bounds.schemaDepth) ? undefined : freeze(json), size: Math.ceil(size) };
  } catch (error) {
    // Also where the native walk itself runs out of stack.
    if (error instanceof RangeError) return { json: undefined, size: Math.ceil(size) };
    throw new Fault("schema_unsupported", `${what} is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) freeze(item);
  return Object.freeze(value);
}
