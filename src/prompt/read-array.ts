import { readInner } from "./read-object.ts";
import { isList } from "./schema-index.ts";
import { slot, wordNode } from "./type-node.ts";
import type { Part } from "./read-object.ts";
import type { JsonValue } from "../json.ts";
import type { Slot, TypeNode } from "./type-node.ts";

/** A list or a tuple, as draft 7 (`items` is a list) and draft 2020-12 (`prefixItems`) write them. */
export function readArray(part: Part): TypeNode {
  const { schema } = part;
  const items = schema["items"];
  const prefix = isList(schema["prefixItems"]) ? schema["prefixItems"] : isList(items) ? items : [];
  const rest = isList(items) ? schema["additionalItems"] : items;
  if (prefix.length === 0) {
    if (rest === false) return { kind: "tuple", items: [], required: 0, rest: undefined };
    return { kind: "array", item: restOf(part, rest) };
  }
  const min = countOf(schema["minItems"]) ?? (part.reading.options.exact ? 0 : prefix.length);
  const full = (countOf(schema["maxItems"]) ?? Infinity) <= prefix.length;
  const step = isList(schema["prefixItems"]) ? "prefixItems" : "items";
  return {
    kind: "tuple",
    items: prefix.map((item, i) => readInner(part, item, `${step}/${i}`)),
    required: Math.min(min, prefix.length),
    rest: rest === false || full ? undefined : restOf(part, rest),
  };
}

function restOf(part: Part, rest: JsonValue | undefined): Slot {
  return rest === undefined || rest === true ? slot(wordNode("unknown")) : readInner(part, rest, "items");
}

function countOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}
