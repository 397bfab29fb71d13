import { Fault } from "../errors.ts";
import { type Agent, createDeployment, createRuntime, type Scope } from "../index.ts";
import type { Logger } from "../log.ts";
import { mcp } from "../mcp/index.ts";
import type { Config } from "./config.ts";
import { loadPolicy, loadTools } from "./modules.ts";

/** What a command works with; disposing it ends every process. */
export interface Opened extends AsyncDisposable {
  readonly agent: Agent;
  readonly deployment: Scope;
  /** Servers that could not be joined; their tools are missing and the others are there. */
  readonly failures: readonly Fault[];
}

/** Composes everything that a configuration names; gives up, all ended, when the signal comes. */
export async function openConfig(config: Config, logger: Logger, signal: AbortSignal): Promise<Opened> {
  await using stack = new AsyncDisposableStack();
  const tools = config.tools === undefined ? [] : await loadTools(config.tools, signal);
  const policy = config.policy === undefined ? undefined : await loadPolicy(config.policy, signal);
  const deployment = stack.use(createDeployment({ logger }));
  for (const tool of tools) deployment.tool(tool);
  if (policy !== undefined) deployment.policy(policy);
  const giveUp = (): void => void deployment[Symbol.asyncDispose]();
  signal.addEventListener("abort", giveUp, { once: true });
  const [starting, ...joining] = await Promise.allSettled([
    createRuntime({ limits: config.limits, processes: { warm: 1 } }).then((runtime) => stack.use(runtime)),
    ...config.servers.map(({ name, target }) => deployment.source(mcp(name, target))),
  ]);
  signal.removeEventListener("abort", giveUp);
  signal.throwIfAborted();
  if (starting.status === "rejected") throw starting.reason;
  const agent = await deployment.agent("codecall", { form: config.form, runtime: starting.value });
  const failures = joining.flatMap((joined) => (joined.status === "rejected" ? [failureOf(joined.reason)] : []));
  const disposing = stack.move();
  return { agent, deployment, failures, [Symbol.asyncDispose]: () => disposing.disposeAsync() };
}

function failureOf(reason: unknown): Fault {
  if (reason instanceof Fault && reason.code === "source_failed") return reason;
  throw reason;
}
