import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AnyTool, createDeployment, createRuntime, type Runtime } from "../../src/index.ts";
import { isObject } from "../../src/is-object.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { isIdentifier } from "../../src/json-path.ts";
import { validValues } from "../prompt/from-schema.ts";
import { listen, source } from "../registry/tools.ts";
import { type CatalogTool, describeShared, readCatalogs } from "../shared.ts";
import { type Call, templates } from "./right-programs.ts";

/** What tools without an output schema answer. */
const anything: readonly JsonValue[] = [{ id: 1, items: [{ name: "a" }] }, [{ id: 1 }], "text", 7, true, null, []];

const valueOf = (schema: Readonly<Record<string, unknown>>, seed: number): JsonValue =>
  fc.sample(validValues(schema as JsonObject), { seed, numRuns: 1 })[0] ?? null;

const mockOf = ({ name, description, inputSchema, outputSchema }: CatalogTool, seed: number): AnyTool => {
  const value = outputSchema === undefined ? anything[seed % anything.length] : valueOf(outputSchema, seed);
  return {
    name,
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    effects: ["read"],
    parallelSafe: true,
    execute: () => value,
  };
};

function callOf({ name, inputSchema, outputSchema }: CatalogTool, seed: number): Call {
  const properties = outputSchema?.properties;
  return {
    name,
    tool: isIdentifier(name) ? `tools.${name}` : `tools[${JSON.stringify(name)}]`,
    args: JSON.stringify(valueOf(inputSchema, seed)),
    fields: isObject(properties) ? Object.keys(properties) : [],
    typed: isObject(properties) ? typedFields(properties) : {},
  };
}

function typedFields(properties: Readonly<Record<string, unknown>>): Call["typed"] {
  const plain = Object.entries(properties).flatMap(([name, schema]) =>
    isObject(schema) && typeof schema.type === "string" ? [{ name, type: schema.type }] : [],
  );
  const groups = Map.groupBy(plain, ({ type }) => type);
  return Object.fromEntries([...groups].map(([type, group]) => [type, group.map(({ name }) => name)]));
}

async function inTurns<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += 6) results.push(...(await Promise.all(items.slice(at, at + 6).map(run))));
  return results;
}

describeShared("right programs against every catalogue", () => {
  const logger = listen();
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await createRuntime({ processes: { warm: 2, max: 6 } });
  });
  afterAll(async () => {
    await runtime.close();
  });

  let written = 0;
  for (const [file, catalog] of readCatalogs()) {
    const tools = [...Map.groupBy(catalog, ({ name }) => name).values()].flatMap(([tool]) => tool ?? []);
    const typed = tools.filter(({ outputSchema }) => outputSchema !== undefined);
    const chosen = typed.length > 50 ? typed : tools;
    const programs = Array.from({ length: typed.length > 50 ? 130 : 32 }, (_, index) => {
      const seed = (written += 1);
      const template = templates[seed % templates.length];
      const tool = chosen[(index * 37) % chosen.length];
      return template === undefined || tool === undefined ? "" : template(callOf(tool, seed));
    });

    it(`X11 ${file}: ${programs.length} programs are not refused and complete`, { timeout: 60_000 }, async () => {
      using deployment = createDeployment({ logger });
      await deployment.source(source(file, tools.map(mockOf), ""));
      const agent = await deployment.agent("right", { form: "code", runtime });
      const runs = await inTurns(programs, async (code) => {
        const run = await agent.run(code, { check: "refuse" });
        const isChecked = !run.warnings.some((text) => text.includes("type-checked"));
        return run.status === "completed" && isChecked ? undefined : `${code}\n${run.toModel()}`;
      });
      expect(runs.filter((failure) => failure !== undefined)).toEqual([]);
    });
  }

  it("X11 there are over 500 of them, and TypeScript looked at each", () => {
    expect(written).toBeGreaterThanOrEqual(500);
    expect(logger.lines.filter((line) => line.includes("without a type check"))).toEqual([]);
  });
});
