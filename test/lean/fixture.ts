import {
  type AnyTool,
  createDeployment,
  type LeanOptions,
  type Scope,
  type Session,
  type Turn,
  type TurnOptions,
} from "../../src/index.ts";

export interface LeanFixture {
  readonly deployment: Scope;
  readonly lines: readonly string[];
  /** The next turn of one session of one agent in direct form. */
  turn(options?: TurnOptions): Promise<Turn>;
}

export const named = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: `Returns what ${name} is about.`,
  inputSchema: { type: "object" },
  effects: ["read"],
  parallelSafe: true,
  execute: () => name,
  ...more,
});

export function leanWith(tools: readonly AnyTool[], lean: LeanOptions): LeanFixture {
  const lines: string[] = [];
  const logger = { warn: () => undefined, error: () => undefined, info: (line: string) => void lines.push(line) };
  const deployment = createDeployment({ logger, lean });
  for (const tool of tools) deployment.tool(tool);
  let session: Promise<Session> | undefined;
  return {
    deployment,
    lines,
    async turn(options) {
      session ??= deployment.agent("lean").then((agent) => agent.session("chat"));
      return (await session).turn(options);
    },
  };
}

/** The text that a model reads of a call. */
export async function read(turn: Turn, name: string, input: unknown = {}): Promise<string> {
  const { results } = await turn.dispatch([{ id: "use", name, input }]);
  return results[0]?.content ?? "";
}

export const search = (turn: Turn, query: string, kind?: string): Promise<string> =>
  read(turn, "search_tools", { query, ...(kind === undefined ? {} : { kind }) });

export const bound = (turn: Turn): readonly string[] => turn.surface().tools.map(({ name }) => name);
