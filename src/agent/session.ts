import { Fault } from "../errors.ts";
import { checkOptions, checkText } from "../options.ts";
import type { RecordEntry } from "../bridge/record.ts";
import { createConversation } from "./conversation.ts";
import { openTurn, type Turn, type TurnHome, type TurnOptions } from "./turn.ts";

export interface SessionOptions {
  /** Whose session it is; no sandbox process serves two tenants. */
  readonly tenant?: string;
  /** Who asks, as tools, guards and policies see it. */
  readonly identity?: unknown;
  /** What tools get as `context.services`. */
  readonly services?: Readonly<Record<string, unknown>>;
}

/** One conversation of one tenant. */
export interface Session extends AsyncDisposable {
  readonly id: string;
  readonly tenant: string;
  turn(options?: TurnOptions): Turn;
  /** The record of all turns so far. */
  record(): readonly RecordEntry[];
}

const defaultTenant = "default";

export function openSession(
  home: Pick<TurnHome, "composed" | "views" | "limits">,
  id: string,
  options: SessionOptions = {},
): Session {
  checkText("the id of a session", id);
  checkOptions("agent.session", options, { tenant: "text", identity: "anything", services: "object" });
  const controller = new AbortController();
  const tenant = options.tenant ?? defaultTenant;
  const turns: ReturnType<typeof openTurn>[] = [];
  checkText("the tenant of a session", tenant);
  const turnHome: TurnHome = {
    ...home,
    conversation: createConversation(),
    session: id,
    tenant,
    identity: options.identity,
    services: Object.freeze({ ...options.services }),
    signal: controller.signal,
  };
  return {
    id,
    tenant,
    turn(turnOptions) {
      if (controller.signal.aborted) throw new Fault("session_closed", `session "${id}" is closed`);
      const opened = openTurn(turnHome, turns.length + 1, turnOptions);
      turns.push(opened);
      return opened.turn;
    },
    record: () => turns.flatMap(({ turn }) => turn.record()),
    async [Symbol.asyncDispose]() {
      controller.abort(new Fault("session_closed", `session "${id}" is closed`));
      for (const { turn } of turns) turn[Symbol.dispose]();
      await Promise.all(turns.map(({ settled }) => settled()));
    },
  };
}
