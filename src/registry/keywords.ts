import type { JsonObject } from "../json.ts";

const schema = { $ref: "#" };
const schemas = { type: "array", minItems: 1, items: schema };
const named = { type: "object", additionalProperties: schema };
const text = { type: "string" };
const kind = { enum: ["array", "boolean", "integer", "null", "number", "object", "string"] };

const each = (names: string, rule: JsonObject): JsonObject =>
  Object.fromEntries(names.split(" ").map((name) => [name, rule]));

const shared: JsonObject = {
  ...each("additionalProperties unevaluatedProperties propertyNames additionalItems unevaluatedItems contains", schema),
  ...each("not if then else", schema),
  ...each("allOf anyOf oneOf", schemas),
  ...each("properties patternProperties $defs definitions dependentSchemas", named),
  ...each("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf", { type: "number" }),
  ...each("minLength maxLength minItems maxItems minProperties maxProperties", { type: "number" }),
  ...each("pattern $ref", text),
  type: { anyOf: [kind, { type: "array", minItems: 1, items: kind }] },
  enum: { type: "array", minItems: 1 },
  required: { type: "array", items: text },
  uniqueItems: { type: "boolean" },
};

const over = (properties: JsonObject): JsonObject => ({
  type: ["object", "boolean"],
  properties: { ...shared, ...properties },
});

/** What the keywords of a schema may hold, without the published meta-schemas, whose compiling costs ten times as much. */
export const keywordRules: { readonly "2020-12": JsonObject; readonly "draft-07": JsonObject } = {
  "2020-12": over({ prefixItems: schemas, items: schema }),
  "draft-07": over({ items: { anyOf: [schema, schemas] } }),
};
