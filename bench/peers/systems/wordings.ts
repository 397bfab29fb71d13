import { registerHooks } from "node:module";
import { experimental_createCodeModeTool as createCodeModeTool } from "@ai-sdk/code-mode";
import { generateTypeStubs } from "@tanstack/ai-code-mode";
import { jsonSchema, tool, type ToolSet } from "ai";
import type { CatalogTool } from "../../../test/reference.ts";

// Only what the package does with schemas is used; what it does in Cloudflare's own runtime is not there.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "cloudflare:workers"
      ? {
          url: "data:text/javascript,export class DurableObject {} export class RpcTarget {} export class WorkerEntrypoint {}",
          shortCircuit: true,
        }
      : next(specifier, context),
});
const { generateTypesFromJsonSchema } = await import("@cloudflare/codemode");

const accessorOf = (name: string): string => name.replaceAll(/\W/g, "_");

type Wording = (tools: readonly CatalogTool[]) => string;

const byName = <T>(tools: readonly CatalogTool[], make: (tool: CatalogTool) => T): Record<string, T> =>
  Object.fromEntries(tools.map((one) => [accessorOf(one.name), make(one)]));

/** What a model reads of some tools in each system, by the system's name. */
export const wordings: Readonly<Record<string, Wording>> = {
  "Cloudflare codemode": (tools) => generateTypesFromJsonSchema(byName(tools, (one) => ({ ...one }))),
  "AI SDK code mode": (tools) => {
    const set = byName(tools, ({ description, inputSchema, outputSchema }) =>
      tool({
        description,
        inputSchema: jsonSchema(inputSchema),
        ...(outputSchema === undefined ? {} : { outputSchema: jsonSchema(outputSchema) }),
        execute: () => Promise.resolve(undefined),
      }),
    );
    return createCodeModeTool(set as ToolSet).description;
  },
  "TanStack code mode": (tools) => {
    const bindings = byName(tools, ({ name, ...one }) => ({ ...one, name: `external_${accessorOf(name)}` }));
    const listed = tools.map(({ name, description }) => `- \`external_${accessorOf(name)}(input)\`: ${description}`);
    return [...listed, generateTypeStubs(bindings as Parameters<typeof generateTypeStubs>[0])].join("\n");
  },
};
