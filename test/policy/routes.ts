import { onTestFinished } from "vitest";
import {
  type Agent,
  type AnyTool,
  type AskHost,
  createDeployment,
  type DeploymentOptions,
  type Scope,
} from "../../src/index.ts";
import type { Session, SessionOptions, Turn, TurnOptions } from "../../src/index.ts";
import type { AgentFixture } from "../agent/fixture.ts";

/** What became of a call, told alike for every way to make it. */
export interface Told {
  readonly status: string;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly hint?: string | undefined;
  readonly value?: unknown;
}

export type Route = (turn: Turn, name: string, args: unknown, ask?: AskHost) => Promise<Told>;

let uses = 0;

/** The ways to make a call. */
export const routes: readonly (readonly [name: string, route: Route])[] = [
  [
    "from a program",
    async (turn, name, args, ask) => {
      const code = `try { return { status: "ok", value: await tools[${JSON.stringify(name)}](${JSON.stringify(args)}) } }
catch (error) { return { status: error.status, code: error.code, message: error.message, hint: error.hint } }`;
      const run = await turn.run(code, { check: "off", ...(ask === undefined ? {} : { ask }) });
      if (run.status !== "completed") throw new Error(JSON.stringify(run));
      const told = run.value as unknown as Told;
      const [entry] = run.calls;
      return told.status === "ok" && entry !== undefined ? { ...told, status: entry.status } : told;
    },
  ],
  [
    "by the model itself",
    async (turn, name, args, ask) => {
      const { results } = await turn.dispatch(
        [{ id: `use_${(uses += 1)}`, name, input: args }],
        ask === undefined ? {} : { ask },
      );
      return tell(results[0]?.outcome);
    },
  ],
  [
    "by the host",
    async (turn, name, args, ask) =>
      tell(await turn.call(name, args as Record<string, unknown>, ask === undefined ? {} : { ask })),
  ],
];

function tell(outcome: Awaited<ReturnType<Turn["call"]>> | undefined): Told {
  if (outcome === undefined) throw new Error("there is no outcome");
  if (!("error" in outcome)) return { status: outcome.status, value: outcome.value };
  const { code, message, hint } = outcome.error;
  return { status: outcome.status, code, message, ...(hint === undefined ? {} : { hint }) };
}

export interface Opened {
  readonly session: Session;
  readonly turn: Turn;
  readonly scope: Scope;
  readonly agent: Agent;
}

export interface Setting {
  readonly tools: readonly AnyTool[];
  readonly setUp?: (scope: Scope) => unknown;
  readonly deployment?: DeploymentOptions;
  readonly session?: SessionOptions;
  readonly turn?: TurnOptions;
}

export async function open({ runtime }: AgentFixture, setting: Setting): Promise<Opened> {
  const scope = createDeployment(setting.deployment);
  for (const one of setting.tools) scope.tool(one);
  await setting.setUp?.(scope);
  const agent = await scope.agent("test", { form: "both", runtime });
  const session = await agent.session("chat", { tenant: "acme", ...setting.session });
  onTestFinished(() => session[Symbol.asyncDispose]());
  return { session, turn: session.turn(setting.turn), scope, agent };
}
