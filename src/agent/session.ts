import { resolve } from "node:path";
import { Fault } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { checkOptions, checkText, describe } from "../options.ts";
import type { RecordEntry } from "../bridge/record.ts";
import { createMemoryJournal, type Journal } from "../bridge/journal.ts";
import { createMemory } from "../lean/memory.ts";
import { createConversation } from "./conversation.ts";
import { createKeeping, readBytes } from "./keeping.ts";
import { checkBudget, type BudgetOptions } from "../policy/budget.ts";
import type { SessionBooks } from "../policy/authority.ts";
import { createGrantBook, type Grant } from "../policy/grants.ts";
import { createPlannedActions, type PlannedAction } from "../policy/planned.ts";
import type { RunResult } from "../runtime/result.ts";
import { journalOf } from "../runtime/runtime.ts";
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
  /** What relied on it and has not started is refused. False where no such grant is in force. */
  revoke(id: string): boolean;
  /** All planned actions so far, with what became of each. */
  planned(): readonly PlannedAction<CallOutcome>[];
  /** Executes a planned action, with the arguments that it was planned with; whoever comes later gets the first outcome. */
  confirm(id: string, options: ConfirmOptions): Promise<CallOutcome>;
  /** False where it does not wait any more. */
  discard(id: string, options: ConfirmOptions): boolean;
}

const defaultTenant = "default";

export function openSession(
  home: Pick<TurnHome, "composed" | "views" | "limits">,
  id: string,
  options: SessionOptions = {},
  /** It ends with its only turn. */
  isAnonymous = false,
): Session {
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
  const journal = home.composed.runtime === undefined ? createMemoryJournal() : journalOf(home.composed.runtime);
  const keeping = createKeeping(home.limits.stateBytes, isAnonymous);
  const books: SessionBooks<CallOutcome> = {
    session: id,
    tenant,
    folders: home.composed.roots,
    workspace,
    grants: createGrantBook(),
    actions: createPlannedActions(),
    taintedBy: new Set(),
  };
  const turnHome: TurnHome = {
    ...home,
    conversation: createConversation(),
    keeping,
    memory: createMemory(),
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

  /** In a turn of its own, of the number of the one in which it was planned. */
  async function execute(action: PlannedAction): Promise<CallOutcome> {
    const opened = openTurn(turnHome, action.turn, { confirmationGated: true }, action);
    confirmations.push(opened);
    try {
      return await opened.execute(action);
    } finally {
      opened.turn[Symbol.dispose]();
    }
  }

  return {
    id,
    tenant,
    turn(turnOptions) {
      live();
      const opened = openTurn(turnHome, turns.length + 1, turnOptions);
      turns.push(opened);
      return opened.turn;
    },
    async resume(runId, answers, given) {
      live();
      const opened = openTurn(turnHome, turns.length + 1);
      turns.push(opened);
      try {
        return await opened.turn.resume(runId, answers, given);
      } finally {
        opened.turn[Symbol.dispose]();
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
      return books.grants.add(await readGrant(given, workspace ?? process.cwd()));
    },
    revoke: (grant) => books.grants.revoke(grant),
    planned: () => books.actions.list(),
    async confirm(action, given) {
      live();
      const outcome = books.actions.confirm(action, readBy("session.confirm", given), execute);
      if (outcome === undefined) throw notFound(action, id);
      return outcome;
    },
    discard: (action, given) => books.actions.discard(action, readBy("session.discard", given)),
    async [Symbol.asyncDispose]() {
      controller.abort(new Fault("session_closed", `session "${id}" is closed`));
      for (const { turn } of [...turns, ...confirmations]) turn[Symbol.dispose]();
      await Promise.all([...turns, ...confirmations].map(({ settled }) => settled()));
    },
  };
}

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
