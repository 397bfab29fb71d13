import { createRunner } from "run";
import { caps, type StartSystem } from "../system.ts";

export const start: StartSystem = async ({ tools, timeoutMs }) => {
  const runner = createRunner({
    limits: {
      timeoutMs,
      memoryLimitBytes: caps.memoryMb * 1_048_576,
      maxBridgeRequests: caps.calls,
      // Calls beyond it are refused, not queued.
      maxInFlightBridgeRequests: caps.calls,
    },
  });
  const hostFunctions = {
    tools: Object.fromEntries(
      tools.map(({ name, execute }) => [name, (args: unknown) => execute(args as Readonly<Record<string, unknown>>)]),
    ),
  };
  return {
    call: (tool, argumentText) => `tools.${tool}(${argumentText})`,
    async run({ body, result }) {
      const outcome = await runner.run({ source: `${body}\nreturn ${result};`, hostFunctions });
      if (outcome.status !== "completed") throw new Error(outcome.status);
      return outcome.value;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
