import { createDeployment, type LeanOptions, type Scope, type ToolSource } from "codecall";
import { hasShared, readCatalogs } from "../../test/reference.ts";
import type { Case, Row } from "../row.ts";
import { countTokens } from "../wordings.ts";

const alwaysOn = ["search_tools", "read_file"];

/** What the first request of a conversation carries of tools, in tokens: every schema, or a lean surface. */
export async function lean(): Promise<Case> {
  if (!hasShared) return { name: "lean", rounds: 1, rows: [], close: () => Promise.resolve() };
  const stack = new AsyncDisposableStack();
  const own = { ...(await open(stack, undefined)) };
  const few = await open(stack, { alwaysOn: [...alwaysOn, ...own.first] });
  const base = `${own.count} tools, first request: every schema`;
  const rows: readonly Row[] = [
    { name: base, unit: "tokens", sample: () => own.tokens() },
    {
      name: `${own.count} tools, first request: lean, nine always on`,
      unit: "tokens",
      sample: () => few.tokens(),
      against: base,
    },
  ];
  return { name: "lean", rounds: 1, rows, close: () => stack.disposeAsync() };
}

async function open(stack: AsyncDisposableStack, options: LeanOptions | undefined) {
  const deployment: Scope = stack.use(createDeployment(options === undefined ? {} : { lean: options }));
  for (const [name, tools] of readCatalogs()) await deployment.source(sourceOf(name, tools));
  const agent = await deployment.agent("bench");
  const { tools } = deployment.surface();
  return {
    count: tools.length,
    first: tools.slice(0, 7).map(({ name }) => name),
    async tokens() {
      const surface = agent.surface();
      const { text } = await surface.prompt;
      return countTokens(JSON.stringify(surface.tools)) + countTokens(text);
    },
  };
}

/** Names are not unique across the servers of one catalogue. */
function sourceOf(
  name: string,
  catalog: ReturnType<typeof readCatalogs> extends ReadonlyMap<string, infer T> ? T : never,
): ToolSource {
  const tools = catalog.map((tool, index) => ({
    name: `${tool.name}_${index}`,
    description: tool.description,
    inputSchema: tool.inputSchema,
    execute: () => null,
  }));
  return { name, prefix: `mcp_${name}__`, tools: async () => tools, [Symbol.asyncDispose]: async () => undefined };
}
