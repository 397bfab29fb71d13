import { bounds } from "../limits.ts";
import { isObject } from "../is-object.ts";
import { documentBase, indexSchema } from "./schema-index.ts";
import { docOf } from "./notes.ts";
import { noDoc } from "./type-node.ts";
import type { Target } from "./schema-index.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Doc, Kind, TypeNode } from "./type-node.ts";

/** How a schema is turned into a type. */
export interface TypeOptions {
  /** Arguments, or a result. */
  readonly io: "input" | "output";
  /**
   * To the letter: a schema without `type` admits every kind, unlisted properties are shown, and a tuple may be short.
   * Otherwise as authors mean it: the kind that all keywords speak of, listed properties, a full tuple.
   */
  readonly exact?: boolean;
  /** Types alone, without what is said beside them. */
  readonly silent?: boolean;
}

/** A type that references name. */
export interface Definition {
  readonly type: TypeNode;
  readonly doc: Doc;
  /** The pointer or anchor by which it was found first. */
  readonly hint: string;
}

/** Where the reader stands: for messages, for references, for bounds; and the kinds that an enclosing schema allows. */
export interface Place {
  readonly path: string;
  readonly base: string;
  readonly depth: number;
  readonly kinds: ReadonlySet<Kind> | undefined;
}

/** What one reading of a document collects. */
export interface Reading {
  readonly options: TypeOptions;
  readonly warnings: readonly string[];
  /** Says what cannot be read, where, and what is done instead. */
  warn(place: Place, message: string, instead?: string): void;
  /** Counts one type; false once the document has used up its share. */
  take(): boolean;
  /** The number of the definition that a reference means. */
  refer(ref: string, place: Place): number | undefined;
  baseOf(schema: JsonObject, outer: string): string;
  /** What is said beside the type of a schema, which may be the property of a name. */
  docOf(schema: JsonValue, name?: string): Doc;
  /** The next schema that was referred to and is not read yet. */
  next(): { readonly target: Target; readonly path: string } | undefined;
}

const maxIndexDepth = 200;
const maxWarnings = 5;

/** Starts reading a document; its root is definition 0. */
export function startReading(root: JsonValue, options: TypeOptions): Reading {
  const index = indexSchema(root, maxIndexDepth);
  const base = isObject(root) ? index.baseOf(root, documentBase) : documentBase;
  const found: { target: Target; path: string }[] = [{ target: { schema: root, base, hint: "" }, path: "#" }];
  const ids = new Map<JsonValue, number>([[root, 0]]);
  const warnings: string[] = [];
  let types = 0;
  let read = 0;
  return {
    options,
    warnings,
    warn(place, message, instead = "shown as unknown") {
      if (warnings.length < maxWarnings) warnings.push(`${message} at ${place.path}, ${instead}`);
    },
    take: () => ++types <= bounds.typeParts,
    refer(ref, place) {
      const target = index.resolve(ref, place.base);
      if (target === undefined) return undefined;
      const known = ids.get(target.schema);
      if (known !== undefined) return known;
      if (found.length >= bounds.typeReferences) return undefined;
      ids.set(target.schema, found.length);
      found.push({ target, path: ref });
      return found.length - 1;
    },
    baseOf: (schema, outer) => index.baseOf(schema, outer),
    docOf: (schema, name) => (options.silent === true || !isObject(schema) ? noDoc : docOf(schema, name)),
    next: () => found[read++],
  };
}
