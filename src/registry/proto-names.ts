// No program can pass a property named `__proto__`: in an object literal that name sets the prototype, which is lost on the
// way. A schema that names one would be declared to programs as something that they then cannot do.
import type { JsonObject } from "../json.ts";

/** Keywords that hold schemas by name, and those that hold no schemas. */
const named: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
const values: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"]);

/** Whether the schema, or one in it, gives a property that name. */
export function namesProto(schema: JsonObject): boolean {
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const at = open.pop();
    if (Array.isArray(at)) open.push(...(at as readonly unknown[]));
    if (typeof at !== "object" || at === null || Array.isArray(at)) continue;
    for (const [keyword, held] of Object.entries(at)) {
      if (keyword === "properties" && holds(held)) return true;
      if (keyword === "required" && Array.isArray(held) && held.includes("__proto__")) return true;
      if (named.has(keyword)) open.push(...Object.values((held ?? {}) as Readonly<Record<string, unknown>>));
      else if (!values.has(keyword)) open.push(held);
    }
  }
  return false;
}

const holds = (properties: unknown): boolean =>
  typeof properties === "object" && properties !== null && Object.hasOwn(properties, "__proto__");
