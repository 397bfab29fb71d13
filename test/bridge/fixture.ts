import type { AskHost, Ask, StepContext } from "../../src/bridge/call.ts";
import type { BridgeEvent } from "../../src/bridge/events.ts";
import { createMemoryJournal, type JournalEntry, type RunLog } from "../../src/bridge/journal.ts";
import type { Outcome } from "../../src/bridge/outcome.ts";
import { type RecordEntry, recordOf } from "../../src/bridge/record.ts";
import { openStep, type Step } from "../../src/bridge/step.ts";
import { type Limits, readLimits } from "../../src/limits.ts";
import { guarded, type Logger } from "../../src/log.ts";
import { createScopes, type Scope } from "../../src/registry/scope.ts";
import type { AnyTool } from "../../src/registry/tool.ts";

export interface Fixture {
  readonly scope: Scope<undefined, undefined>;
  readonly step: Step;
  readonly log: RunLog;
  readonly events: BridgeEvent[];
  readonly logged: { message: string; data: unknown }[];
  request(name: string, args?: unknown, more?: Partial<Ask>): Promise<Outcome>;
  record(): readonly RecordEntry[];
  entries(): readonly JournalEntry[];
}

export interface FixtureOptions {
  readonly tools: readonly AnyTool[];
  readonly limits?: Partial<Limits>;
  readonly ask?: AskHost;
  readonly maxCalls?: number;
  readonly identity?: unknown;
  readonly logger?: Logger;
  /** Of the step's context. */
  readonly more?: Partial<StepContext>;
  readonly setUp?: (scope: Scope<undefined, undefined>) => void;
}

/** A step over the real registry, with everything it says kept. */
export function openFixture(options: FixtureOptions): Fixture {
  const events: BridgeEvent[] = [];
  const logged: { message: string; data: unknown }[] = [];
  const logger = {
    warn: () => undefined,
    error: (message: string, data?: unknown) => void logged.push({ message, data }),
  };
  const scope = createScopes<undefined, undefined>({ logger, join: () => undefined });
  for (const tool of options.tools) scope.tool(tool);
  options.setUp?.(scope);
  const log = createMemoryJournal().open({
    runId: "run_test",
    tenant: "acme",
    session: "chat",
    turn: 1,
    kind: "program",
    surface: "",
    at: 0,
  });
  const step = openStep({
    surface: scope.surface(),
    limits: readLimits(options.limits),
    ...(options.maxCalls === undefined ? {} : { maxCalls: options.maxCalls }),
    log,
    lineage: [],
    tenant: "acme",
    identity: options.identity,
    services: {},
    logger: guarded(options.logger ?? logger),
    ask: options.ask,
    emit: (event) => void events.push(event),
    ...options.more,
  });
  return {
    scope,
    step,
    log,
    events,
    logged,
    request: (name, args = {}, more = {}) =>
      step.request({ caller: "program", name, args: typeof args === "string" ? args : JSON.stringify(args), ...more }),
    record: () => recordOf(log),
    entries: () => log.entries(),
  };
}

/** A promise to be settled by hand. */
export function deferred<T = void>(): {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
} {
  return Promise.withResolvers<T>();
}

export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
