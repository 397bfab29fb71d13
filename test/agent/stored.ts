import { afterAll, beforeAll, beforeEach } from "vitest";
import { readEntry, writeEntry } from "../../src/bridge/entry-text.ts";
import type { JournalEntry, RunHeader } from "../../src/bridge/journal.ts";
import {
  type Agent,
  type AnyTool,
  createDeployment,
  createRuntime,
  type DeploymentOptions,
  type Form,
  type Limits,
  memoryStore,
  type Policy,
  type Runtime,
  type Store,
} from "../../src/index.ts";

export const tenant = "acme";

/** Two hosts over one store, which is a new one for each test and as durable as the tests need it. */
export interface Hosts {
  /** The store of the test; what a test puts in its place is what the hosts see. */
  store: Store;
  agent(host: "first" | "second", tools?: readonly AnyTool[], more?: AgentTerms): Promise<Agent>;
  entries(runId: string): Promise<readonly JournalEntry[]>;
  header(runId: string): Promise<RunHeader>;
  /** Leaves the run as a host does that is lost: as far as this, and nobody's. */
  lose(runId: string, entries: readonly JournalEntry[], header?: RunHeader): Promise<void>;
}

export interface AgentTerms extends DeploymentOptions {
  readonly form?: Form;
  readonly policy?: Policy;
}

export function useHosts(limits: Partial<Limits> = {}): Hosts {
  let runtimes: readonly Runtime[] = [];
  const hosts: Hosts = {
    store: memoryStore(),
    agent(host, tools = [], { form = "both", policy, ...options } = {}) {
      const deployment = createDeployment(options);
      for (const tool of tools) deployment.tool(tool);
      if (policy !== undefined) deployment.policy(policy);
      return deployment.agent("test", { form, runtime: runtimes[host === "first" ? 0 : 1] as Runtime });
    },
    entries: async (runId) => (await hosts.store.load(tenant, runId)).entries.map(readEntry),
    header: async (runId) => JSON.parse((await hosts.store.load(tenant, runId)).header) as RunHeader,
    async lose(runId, entries, header) {
      const run = await hosts.store.load(tenant, runId);
      hosts.store = memoryStore();
      const text = header === undefined ? run.header : JSON.stringify(header);
      const claim = { owner: "lost", ttlMs: 1, now: 1 };
      const content = { entries: entries.map(writeEntry), at: 1 };
      const { epoch } = await hosts.store.create(
        { tenant, runId, session: run.session, at: 1, header: text },
        claim,
        content,
      );
      await hosts.store.release(tenant, runId, epoch);
    },
  };
  const seen: Store = new Proxy(hosts.store, {
    get: (_, name: keyof Store) => (name === "isDurable" ? true : hosts.store[name]),
  });
  beforeAll(async () => {
    const one = { store: seen, limits, check: "off", processes: { warm: 1, max: 2 } } as const;
    runtimes = await Promise.all([createRuntime(one), createRuntime(one)]);
  });
  beforeEach(() => {
    hosts.store = memoryStore();
  });
  afterAll(() => Promise.all(runtimes.map((runtime) => runtime.close())));
  return hosts;
}
