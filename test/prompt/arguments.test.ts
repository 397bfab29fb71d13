import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isObject } from "../../src/is-object.ts";
import { declare } from "../../src/prompt/declarations.ts";
import { readSchema, type Schema } from "../../src/registry/schema.ts";
import { type CatalogTool, describeShared, readCatalogs } from "../shared.ts";
import { declarables } from "./catalogs.ts";
import { compileErrors } from "./compile.ts";
import { validValues } from "./from-schema.ts";
import { literal } from "./values.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";

const perTool = 3;

const sample = (schema: JsonObject, seed: number): readonly JsonObject[] =>
  fc.sample(validValues(schema), { numRuns: perTool, seed }) as JsonObject[];

/** What a check says; undefined where the schema is broken and checks nothing. */
async function checkOf(tool: CatalogTool): Promise<Schema | undefined> {
  const warnings: string[] = [];
  const schema = readSchema(tool.inputSchema, {
    what: "inputSchema",
    io: "input",
    warn: (message) => void warnings.push(message),
  });
  await schema.parse({});
  return warnings.length === 0 ? schema : undefined;
}

/** The arguments made wrong in one place: a value of another kind, a required one gone, one that is not allowed. */
function mutants(schema: JsonObject, args: JsonObject): readonly JsonObject[] {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const wrong: JsonObject[] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const { type } = property;
    if (typeof type === "string") wrong.push({ ...args, [name]: type === "array" ? { not: "a list" } : [[]] });
  }
  for (const name of Array.isArray(schema["required"]) ? (schema["required"] as string[]) : []) {
    const { [name]: _, ...rest } = args;
    wrong.push(rest);
  }
  if (schema["additionalProperties"] === false) wrong.push({ ...args, "not listed": 1 });
  return wrong;
}

describeShared("arguments made from the schemas of real catalogues", () => {
  it("D2 C2 valid ones are of the declared type and pass the check, wrong ones do not pass", async () => {
    const files: Record<string, string> = {};
    const counted = { tools: 0, unchecked: 0, valid: 0, invalid: 0, anything: 0 };
    const failures: JsonValue[] = [];
    for (const [catalog, tools] of readCatalogs()) {
      const calls: string[] = [];
      for (const [number, tool] of tools.entries()) {
        const schema = tool.inputSchema as JsonObject;
        const check = await checkOf(tool);
        counted.tools += 1;
        const values = sample(schema, number);
        for (const args of values) calls.push(`tools[${JSON.stringify(accessor(tool.name))}](${literal(args)});`);
        if (check === undefined) {
          counted.unchecked += 1;
          continue;
        }
        for (const args of values) {
          const result = await check.parse(args);
          counted.valid += 1;
          if (!result.ok) failures.push([tool.name, args, JSON.parse(JSON.stringify(result.issues)) as JsonValue]);
        }
        const wrong = mutants(schema, values[0] ?? {});
        if (wrong.length === 0) counted.anything += 1;
        for (const args of wrong) {
          counted.invalid += 1;
          if ((await check.parse(args)).ok) failures.push([tool.name, "passes", args]);
        }
      }
      files[`${catalog}.ts`] = `${declare(declarables(tools)).text}\n${calls.join("\n")}`;
    }
    expect(failures).toEqual([]);
    expect(compileErrors(files)).toEqual([]);
    // One schema of a catalogue is broken and checks nothing; tools without parameters have nothing to get wrong.
    expect(counted).toEqual({ tools: 1220, unchecked: 1, valid: 3657, invalid: 6792, anything: 73 });
  });
});

const accessor = (name: string): string => name.replaceAll(/\W/g, "_");
