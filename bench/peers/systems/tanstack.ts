import { stripTypeScript } from "@tanstack/ai-code-mode";
import { createNodeIsolateDriver } from "@tanstack/ai-isolate-node";
import { caps, type StartSystem } from "../system.ts";

/** The driver itself, without the layer over it that checks values; a new context for each program, as that layer makes it. */
export const start: StartSystem = async ({ tools, timeoutMs }) => {
  const driver = createNodeIsolateDriver({ memoryLimit: caps.memoryMb, timeout: timeoutMs });
  const bindings = Object.fromEntries(
    tools.map(({ name, description, inputSchema, execute }) => [
      name,
      {
        name,
        description,
        inputSchema: { ...inputSchema, required: [...inputSchema.required] },
        execute: async (args: unknown) => execute(args as Readonly<Record<string, unknown>>),
      },
    ]),
  );
  return {
    call: (tool, argumentText) => `${tool}(${argumentText})`,
    async run({ body, result }) {
      const code = await stripTypeScript(`${body}\nreturn ${result};`);
      const context = await driver.createContext({ bindings });
      try {
        const outcome = await context.execute(code);
        if (!outcome.success) throw new Error(outcome.error?.message ?? "failed");
        return outcome.value;
      } finally {
        await context.dispose();
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
