import type { JsonObject, JsonValue } from "../json.ts";
import { isObject } from "../is-object.ts";
import { decodeFragment, pointerKeys } from "../registry/json-pointer.ts";

/** A schema found by reference, and the pointer or anchor that it was found by. */
export interface Target {
  readonly schema: JsonValue;
  readonly base: string;
  readonly hint: string;
}

/** Finds what a `$ref` in one document means; nothing is ever fetched. */
export interface SchemaIndex {
  /** The base that references inside this schema resolve against. */
  baseOf(schema: JsonObject, outer: string): string;
  resolve(ref: string, base: string): Target | undefined;
}

interface Resource {
  readonly root: JsonValue;
  readonly anchors: Map<string, JsonObject>;
}

/** The base of a document that names none. */
export const documentBase = "schema:///";

const values = new Set(["enum", "const", "default", "examples", "example"]);
const maps = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"]);

/** Indexes every `$id` and anchor of a document, at any depth up to `maxDepth`. */
export function indexSchema(root: JsonValue, maxDepth: number): SchemaIndex {
  const resources = new Map<string, Resource>([[documentBase, { root, anchors: new Map() }]]);
  const bases = new Map<JsonValue, string>();

  const visitAll = (items: readonly JsonValue[], base: string, depth: number): void => {
    for (const item of items) visit(item, base, depth);
  };
  const visit = (schema: JsonValue, outer: string, depth: number): void => {
    if (depth > maxDepth || !isObject(schema)) return;
    let base = outer;
    const id = schema["$id"];
    if (typeof id === "string") {
      const url = join(id, outer);
      if (url !== undefined && url.fragment === "") {
        base = url.document;
        if (!resources.has(base)) resources.set(base, { root: schema, anchors: new Map() });
      } else if (url !== undefined) addAnchor(base, url.fragment, schema);
    }
    bases.set(schema, base);
    for (const anchor of [schema["$anchor"], schema["$dynamicAnchor"]]) {
      if (typeof anchor === "string") addAnchor(base, anchor, schema);
    }
    for (const [keyword, value] of Object.entries(schema)) {
      if (values.has(keyword) || typeof value !== "object" || value === null) continue;
      if (isList(value)) visitAll(value, base, depth + 1);
      else if (maps.has(keyword) && isObject(value)) visitAll(Object.values(value), base, depth + 1);
      else visit(value, base, depth + 1);
    }
  };
  const addAnchor = (base: string, anchor: string, schema: JsonObject): void => {
    const anchors = resources.get(base)?.anchors;
    if (anchors !== undefined && !anchors.has(anchor)) anchors.set(anchor, schema);
  };
  visit(root, documentBase, 0);

  return {
    baseOf: (schema, outer) => bases.get(schema) ?? outer,
    resolve(ref, base) {
      const url = join(ref, base);
      const resource = url === undefined ? undefined : resources.get(url.document);
      if (url === undefined || resource === undefined) return undefined;
      const named = resource.anchors.get(url.fragment);
      if (named !== undefined) return { schema: named, base: bases.get(named) ?? url.document, hint: url.fragment };
      if (url.fragment !== "" && !url.fragment.startsWith("/")) return undefined;
      const found = follow(resource.root, url.fragment, url.document, bases);
      return found === undefined ? undefined : { ...found, hint: url.fragment };
    },
  };
}

function follow(
  root: JsonValue,
  pointer: string,
  document: string,
  bases: ReadonlyMap<JsonValue, string>,
): { schema: JsonValue; base: string } | undefined {
  let schema = root;
  let base = bases.get(root) ?? document;
  for (const key of pointerKeys(pointer)) {
    let next: JsonValue | undefined;
    if (isList(schema)) next = schema[Number(key)];
    else if (isObject(schema) && Object.hasOwn(schema, key)) next = schema[key];
    if (next === undefined) return undefined;
    schema = next;
    base = bases.get(schema) ?? base;
  }
  return { schema, base };
}

function join(ref: string, base: string): { document: string; fragment: string } | undefined {
  const hash = ref.indexOf("#");
  const path = hash < 0 ? ref : ref.slice(0, hash);
  const fragment = hash < 0 ? "" : decodeFragment(ref.slice(hash + 1));
  if (path === "") return { document: base, fragment };
  const url = URL.parse(path, base);
  return url === null ? undefined : { document: url.href, fragment };
}

export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
