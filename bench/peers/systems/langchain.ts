import { tool } from "@langchain/core/tools";
import { ReplSession } from "@langchain/quickjs";
import { caps, type StartSystem } from "../system.ts";

let sessions = 0;

/** A session for each program; results reach it as text, so a call ends in `JSON.parse`. */
export const start: StartSystem = async ({ tools, timeoutMs }) => {
  const offered = tools.map(({ name, description, inputSchema, execute }) =>
    tool(async (args: unknown) => JSON.stringify(await execute(args as Readonly<Record<string, unknown>>)), {
      name,
      description,
      schema: inputSchema as never,
    }),
  );
  const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    call: (name, argumentText) => `tools.${camel(name)}(${argumentText}).then((text) => JSON.parse(text))`,
    async run({ body, result }) {
      const session = new ReplSession(`session-${sessions++}`, {
        tools: offered as never,
        maxPtcCalls: caps.calls,
        memoryLimitBytes: caps.memoryMb * 1_048_576,
      });
      try {
        const outcome = await session.eval(`${body}\n(${result})`, timeoutMs);
        if (!outcome.ok) throw new Error(outcome.error?.message ?? "failed");
        return outcome.value;
      } finally {
        session.dispose();
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
