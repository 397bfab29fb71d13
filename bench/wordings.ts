import { encode } from "gpt-tokenizer";
import { compile } from "json-schema-to-typescript";
import { declare, type Declarable } from "../src/prompt/declarations.ts";
import type { JsonObject } from "../src/json.ts";
import type { CatalogTool } from "../test/reference.ts";

export const countTokens = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

/** A name as a property after a dot. */
const accessorOf = (name: string): string => name.replaceAll(/\W/g, "_");

/** The tools as a provider takes them. */
export function schemasText(tools: readonly CatalogTool[]): string {
  return JSON.stringify(
    tools.map(({ name, description, inputSchema, outputSchema }) => ({ name, description, inputSchema, outputSchema })),
  );
}

/** Our declarations. */
export function declaredText(tools: readonly CatalogTool[]): string {
  return declare(
    tools.map(({ name, description, inputSchema, outputSchema }): Declarable => ({
      name,
      alias: accessorOf(name),
      description,
      input: inputSchema as JsonObject,
      ...(outputSchema === undefined ? {} : { output: outputSchema as JsonObject }),
    })),
  ).text;
}

/** With the generator's own defaults; each tool as an interface of its arguments and a function. */
export async function generatedText(tools: readonly CatalogTool[]): Promise<string> {
  const types: string[] = [];
  const methods: string[] = [];
  for (const { name, description, inputSchema, outputSchema } of tools) {
    const typeName = pascalCase(name);
    types.push(await compile(structuredClone(inputSchema), `${typeName}Input`, { bannerComment: "" }));
    if (outputSchema !== undefined)
      types.push(await compile(structuredClone(outputSchema), `${typeName}Output`, { bannerComment: "" }));
    const result = outputSchema === undefined ? "unknown" : `${typeName}Output`;
    methods.push(`/** ${description} */\n${name}(args: ${typeName}Input): Promise<${result}>;`);
  }
  return `${types.join("")}declare const tools: {\n${methods.join("\n")}\n};\n`;
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
