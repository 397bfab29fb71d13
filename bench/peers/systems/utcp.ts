import { CodeModeUtcpClient } from "@utcp/code-mode";
import { addFunctionToUtcpDirectCall } from "@utcp/direct-call";
import { caps, type StartSystem } from "../system.ts";

let manuals = 0;

/** Direct calls, which hand the values of the arguments over one by one; its failures are lines of the log. */
export const start: StartSystem = async ({ tools, timeoutMs }) => {
  const manual = `bench${manuals++}`;
  for (const { name, inputSchema, execute } of tools) {
    const names = Object.keys(inputSchema.properties);
    addFunctionToUtcpDirectCall(`${manual}_${name}`, async (...values: unknown[]) =>
      execute(Object.fromEntries(names.map((key, index) => [key, values[index]]))),
    );
  }
  addFunctionToUtcpDirectCall(manual, async () => ({
    utcp_version: "1.0.0",
    manual_version: "1.0.0",
    tools: tools.map(({ name, description, inputSchema, outputSchema }) => ({
      name,
      description,
      inputs: inputSchema,
      outputs: outputSchema,
      tags: [],
      tool_call_template: { call_template_type: "direct-call", callable_name: `${manual}_${name}` },
    })),
  }));
  const client = await CodeModeUtcpClient.create();
  const registered = await client.registerManual({
    name: manual,
    call_template_type: "direct-call",
    callable_name: manual,
  } as never);
  if (!registered.success) throw new Error("the tools were not registered");
  return {
    call: (tool, argumentText) => `${manual}.${tool}(${argumentText})`,
    async run({ body, result }) {
      const answer = await client.callToolChain(`${body}\nreturn ${result};`, timeoutMs, caps.memoryMb);
      const failure = answer.logs.find((line) => line.startsWith("[ERROR] Code execution failed: "));
      if (failure !== undefined) throw new Error(failure);
      return answer.result as unknown;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
