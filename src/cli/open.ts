import { Fault } from "../errors.ts";
import {
  type Agent,
  createDeployment,
  createRuntime,
  type DeploymentOptions,
  type Scope,
  type Store,
} from "../index.ts";
import type { Logger } from "../log.ts";
import type { Config } from "./config.ts";
import { openStore } from "./store.ts";
import { loadPolicy, loadTools } from "./modules.ts";

/** What a command works with; disposing it ends every process. */
export interface Opened extends AsyncDisposable {
  readonly agent: Agent;
  readonly deployment: Scope;
  /** Where runs are kept, if the configuration says so. */
  readonly store: Store | undefined;
  /** Servers that could not be joined; their tools are missing and the others are there. */
  readonly failures: readonly Fault[];
}

/** Composes everything that a configuration names; gives up, all ended, when the signal comes. */
export async function openConfig(config: Config, logger: Logger, signal: AbortSignal): Promise<Opened> {
  await using stack = new AsyncDisposableStack();
  const tools = config.tools === undefined ? [] : await loadTools(config.tools, signal);
  const policy = config.policy === undefined ? undefined : await loadPolicy(config.policy, signal);
  const deployment = stack.use(createDeployment({ logger, ...learning(config) }));
  for (const tool of tools) deployment.tool(tool);
  if (policy !== undefined) deployment.policy(policy);
  const store = config.store === undefined ? undefined : await openStore(config.store, process.cwd());
  if (store !== undefined) {
    stack.defer(() => store.close());
    await store.ready();
  }
  const giveUp = (): void => void deployment[Symbol.asyncDispose]();
  signal.addEventListener("abort", giveUp, { once: true });
  const [starting, ...joining] = await Promise.allSettled([
    createRuntime({ limits: config.limits, processes: { warm: 1 }, ...(store === undefined ? {} : { store }) }).then(
      (runtime) => stack.use(runtime),
    ),
    ...config.servers.map((server) => join(deployment, server)),
  ]);
  signal.removeEventListener("abort", giveUp);
  signal.throwIfAborted();
  if (starting.status === "rejected") throw starting.reason;
  const agent = await deployment.agent("codecall", { form: config.form, runtime: starting.value });
  const failures = joining.flatMap((joined) => (joined.status === "rejected" ? [failureOf(joined.reason)] : []));
  const disposing = stack.move();
  return { agent, deployment, store, failures, [Symbol.asyncDispose]: () => disposing.disposeAsync() };
}

/** The client is loaded only where there is a server: that takes longer than most programs. */
async function join(deployment: Scope, { name, target }: Config["servers"][number]): Promise<unknown> {
  const { mcp } = await import("../mcp/index.ts");
  return deployment.source(mcp(name, target));
}

const learning = ({ learnOutputs }: Config): DeploymentOptions =>
  learnOutputs === undefined ? {} : { learnOutputs: { file: learnOutputs } };

function failureOf(reason: unknown): Fault {
  if (reason instanceof Fault && reason.code === "source_failed") return reason;
  throw reason;
}
