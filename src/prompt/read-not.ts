import { isObject } from "../is-object.ts";
import { isList } from "./schema-index.ts";
import { allKinds, kindNode, noDoc, slot, wordNode } from "./type-node.ts";
import type { JsonValue } from "../json.ts";
import type { Kind, TypeNode } from "./type-node.ts";

/** What `not` leaves, where a type can say it: nothing, the kinds that it does not name, objects without a property. */
export function readNot(schema: JsonValue, kinds: ReadonlySet<Kind> | undefined): TypeNode {
  if (schema === true) return wordNode("never");
  if (!isObject(schema)) return wordNode("unknown");
  const [keyword, ...more] = Object.keys(schema);
  if (keyword === undefined) return wordNode("never");
  if (more.length > 0) return wordNode("unknown");
  if (keyword === "type") return without(schema["type"], kinds ?? allKinds);
  if (keyword === "required" && kinds?.size === 1 && kinds.has("object")) return lacking(schema["required"]);
  return wordNode("unknown");
}

/** A whole number is a number, so `integer` takes none away. */
function without(types: JsonValue | undefined, kinds: ReadonlySet<Kind>): TypeNode {
  const named = new Set<unknown>(isList(types) ? types : [types]);
  const left = [...kinds].filter((kind) => !named.has(kind));
  if (left.length === kinds.size) return wordNode("unknown");
  return { kind: "union", members: left.map((kind) => slot(kindNode(kind))) };
}

function lacking(names: JsonValue | undefined): TypeNode {
  const members = (isList(names) ? names : [])
    .filter((name) => typeof name === "string")
    .map((name): TypeNode => {
      const field = { name, type: wordNode("never"), doc: noDoc, optional: true };
      return { kind: "object", fields: [field], index: [], closed: false };
    });
  return members.length === 0 ? wordNode("never") : { kind: "union", members: members.map((type) => slot(type)) };
}
