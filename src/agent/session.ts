import { resolve } from "node:path";
import { Fault } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { checkOptions, checkText, describe } from "../options.ts";
import type { RecordEntry } from "../bridge/record.ts";
import { createMemoryJournal, type Journal } from "../bridge/journal.ts";
import { createMemory } from "../lean/memory.ts";
import { createConversation } from "./conversation.ts";
import { createReferences } from "../bridge/references.ts";
import { createKeeping, readBytes } from "./keeping.ts";
import { partsOf } from "./kept-parts.ts";
import { keepReferences } from "./kept-references.ts";
import { outcomeOfExecution } from "./lost-execution.ts";
import { keepNothing, openKeeper } from "./session-keeper.ts";
import { createSessionState } from "./session-state.ts";
import { checkBudget, type BudgetOptions } from "../policy/budget.ts";
import type { SessionBooks } from "../policy/authority.ts";
import { createGrantBook, type Grant } from "../policy/grants.ts";
import { createPlannedActions, type PlannedAction } from "../policy/planned.ts";
import type { RunResult } from "../runtime/result.ts";
import { journalOf, storeOf } from "../runtime/runtime.ts";
import { createFormerRuns } from "./former-runs.ts";
import type { Answers } from "./later-answers.ts";
import type { CallOutcome } from "./outcome.ts";
import { type ConfirmOptions, type GrantOptions, notFound, readBy, readGrant } from "./session-options.ts";
import { type OpenedTurn, openTurn, type ResumeOptions, type Turn, type TurnHome, type TurnOptions } from "./turn.ts";

export interface SessionOptions {
  /** Whose session it is; no sandbox process serves two tenants. */
  readonly tenant?: string;
  /** Who asks, as tools, guards and policies see it. */
  readonly identity?: unknown;
  /** What tools get as `context.services`. */
  readonly services?: Readonly<Record<string, unknown>>;
  /** A folder of the session's own, in which tools may act. */
  readonly workspace?: string;
  /** As of a turn, for all turns that do not say otherwise. */
  readonly confirmationGated?: boolean;
  readonly budget?: BudgetOptions;
  /**
   * `"later"`: what asks for a person's approval, where no `ask` is given, does not refuse a program's call; the run is
   * suspended and goes on with `resume`. Takes a durable store. `"live"` unless given: without `ask` asking is a refusal.
   */
  readonly approvals?: "live" | "later";
}

/** One conversation of one tenant. */
export interface Session extends AsyncDisposable {
  readonly id: string;
  readonly tenant: string;
  turn(options?: TurnOptions): Turn;
  /** `turn.resume` in a turn of its own. */
  resume(runId: string, answers?: Answers, options?: ResumeOptions): Promise<RunResult>;
  /** What programs left in `state`; frozen, and a new object after each change. */
  readonly state: JsonObject;
  /** What a reference of this session stands for; throws `reference_unknown` or `reference_expired`. */
  reference(ref: string): { readonly type: string; readonly bytes: Uint8Array };
  /** The record of all turns so far. */
  record(): readonly RecordEntry[];
  /** All grants so far, with what became of each. */
  grants(): readonly Grant[];
  grant(options: GrantOptions): Promise<Grant>;
  /** At once what relied on it and has not started is refused. False where no such grant is in force. */
  revoke(id: string): Promise<boolean>;
  /** All planned actions so far, with what became of each. */
  planned(): readonly PlannedAction<CallOutcome>[];
  /** Executes a planned action, with the arguments that it was planned with; whoever comes later gets the first outcome. */
  confirm(id: string, options: ConfirmOptions): Promise<CallOutcome>;
  /** False where it does not wait any more. */
  discard(id: string, options: ConfirmOptions): Promise<boolean>;
}

const defaultTenant = "default";

type AgentHome = Pick<TurnHome, "composed" | "views" | "limits">;

/** A session with all that the store keeps of it; rejects with what the store rejects with. */
export async function openKeptSession(home: AgentHome, id: string, options?: SessionOptions): Promise<Session> {
  const opened = open(home, id, options, false);
  await opened.load();
  return opened.session;
}

/** A session that ends with its only turn. */
export const openAnonymousSession = (home: AgentHome, id: string, options?: SessionOptions): Session =>
  open(home, id, options, true).session;

function open(
  home: AgentHome,
  id: string,
  options: SessionOptions = {},
  isAnonymous: boolean,
): { readonly session: Session; readonly load: () => Promise<void> } {
  checkText("the id of a session", id);
  checkOptions("agent.session", options, {
    tenant: "text",
    identity: "anything",
    services: "object",
    workspace: "text",
    confirmationGated: "flag",
    budget: "object",
    approvals: "text",
  });
  checkBudget(options.budget);
  const controller = new AbortController();
  const tenant = options.tenant ?? defaultTenant;
  const turns: OpenedTurn[] = [];
  const confirmations: OpenedTurn[] = [];
  checkText("the tenant of a session", tenant);
  const workspace = options.workspace === undefined ? undefined : resolve(options.workspace);
  const runtime = home.composed.runtime;
  const store = isAnonymous || runtime === undefined ? undefined : storeOf(runtime);
  const journal = runtime === undefined ? createMemoryJournal() : journalOf(runtime);
  let keeper = keepNothing;
  const saved = (): Promise<void> | undefined => keeper.saved();
  const keptReferences = store === undefined ? undefined : keepReferences(store, tenant, id);
  const references = createReferences(undefined, keptReferences?.keeper);
  const state = createSessionState(home.limits.stateBytes);
  const keeping = createKeeping(state, references, isAnonymous, saved);
  const memory = createMemory();
  const counted = { count: 0 };
  const books: SessionBooks<CallOutcome> = {
    session: id,
    tenant,
    folders: home.composed.roots,
    workspace,
    grants: createGrantBook(),
    actions: createPlannedActions(),
    taintedBy: new Set(),
    saved,
  };
  const turnHome: TurnHome = {
    ...home,
    conversation: createConversation(),
    keeping,
    memory,
    saved,
    session: id,
    tenant,
    identity: options.identity,
    services: Object.freeze({ ...options.services }),
    books,
    terms: options,
    journal,
    former: createFormerRuns(journal, tenant, id),
    later: readApprovals(options.approvals, journal),
    signal: controller.signal,
  };
  function live(): void {
    if (controller.signal.aborted) throw new Fault("session_closed", `session "${id}" is closed`);
  }

  /** Once, by whichever process claims it first; the others tell what that came to. */
  async function execute(action: Action, claimed: boolean): Promise<CallOutcome> {
    if (claimed) await saved();
    const now = books.actions.find(action.id);
    if (now === undefined || now.status === "discarded") throw notFound(action.id, id);
    if (now.outcome !== undefined) return now.outcome;
    if (claimed && now.runId === action.runId) return executeHere(now);
    const known = now.runId === undefined ? undefined : await outcomeOfExecution(journal, tenant, now.runId);
    if (known !== undefined) return known;
    const mine = books.actions.reclaim(action.id);
    return execute(mine ?? now, true);
  }

  /** In a turn of its own, of the number of the one in which it was planned. */
  async function executeHere(action: Action): Promise<CallOutcome> {
    const opened = openTurn(turnHome, action.turn, { confirmationGated: true }, action);
    confirmations.push(opened);
    try {
      return await opened.execute(action);
    } finally {
      opened.turn[Symbol.dispose]();
      await opened.settled();
    }
  }

  async function load(): Promise<void> {
    if (store === undefined || keptReferences === undefined) return;
    await keptReferences.load(references);
    const parts = partsOf({ state, books, memory, turns: counted });
    keeper = await openKeeper(store, { tenant, session: id }, parts, keptReferences);
  }

  const session: Session = {
    id,
    tenant,
    turn(turnOptions) {
      live();
      const opened = openTurn(turnHome, counted.count + 1, turnOptions);
      counted.count += 1;
      turns.push(opened);
      return opened.turn;
    },
    async resume(runId, answers, given) {
      live();
      const opened = openTurn(turnHome, counted.count + 1);
      counted.count += 1;
      turns.push(opened);
      try {
        return await opened.turn.resume(runId, answers, given);
      } finally {
        opened.turn[Symbol.dispose]();
        await opened.settled();
      }
    },
    get state() {
      return keeping.value;
    },
    reference(ref) {
      checkText("the ref of a reference", ref);
      return readBytes(keeping.references, ref);
    },
    record: () => [...turns, ...confirmations].flatMap(({ turn }) => turn.record()),
    grants: () => books.grants.list(),
    async grant(given) {
      live();
      const grant = books.grants.add(await readGrant(given, workspace ?? process.cwd()));
      await saved();
      return grant;
    },
    async revoke(grant) {
      const revoked = books.grants.revoke(grant);
      await saved();
      return revoked;
    },
    planned: () => books.actions.list(),
    async confirm(action, given) {
      live();
      const by = readBy("session.confirm", given);
      await keeper.refresh();
      const executing = books.actions.confirm(action, by, execute);
      if (executing === undefined) throw notFound(action, id);
      const outcome = await executing;
      try {
        await saved();
      } catch (cause) {
        // Its run tells it to whoever asks again.
        home.composed.logger.error("what a planned action came to could not be written down", { action, cause });
      }
      return outcome;
    },
    async discard(action, given) {
      const by = readBy("session.discard", given);
      await keeper.refresh();
      if (!books.actions.discard(action, by)) return false;
      await saved();
      const now = books.actions.find(action);
      return now?.status === "discarded" && now.by === by;
    },
    async [Symbol.asyncDispose]() {
      controller.abort(new Fault("session_closed", `session "${id}" is closed`));
      for (const { turn } of [...turns, ...confirmations]) turn[Symbol.dispose]();
      await Promise.all([...turns, ...confirmations].map(({ settled }) => settled()));
      await saved()?.catch((cause: unknown) =>
        home.composed.logger.error("what the session keeps could not be written down", { session: id, cause }),
      );
    },
  };
  return { session, load };
}

type Action = PlannedAction<CallOutcome>;

function readApprovals(given: unknown, journal: Journal): boolean {
  if (given === undefined || given === "live") return false;
  if (given !== "later") {
    throw new Fault("invalid_options", `approvals of agent.session must be "live" or "later", got ${describe(given)}`);
  }
  if (journal.isDurable) return true;
  throw new Fault("invalid_options", `approvals of agent.session cannot come later: the runtime has no durable store`, {
    hint: "give it one, as in createRuntime({ store: sqliteStore({ path }) })",
  });
}
