import type { Agent, Logger, RecordEntry, RunEvent, Session, ToolUse, ToolUseResult, Turn } from "../index.ts";

/** Answers the calls of one client. */
export interface Requests {
  answer(use: ToolUse, signal: AbortSignal, listen: (events: AsyncIterable<RunEvent>) => void): Promise<ToolUseResult>;
  /** Signals what runs to stop; resolves once it is answered and its records are told. */
  close(): Promise<void>;
}

export interface RequestOptions {
  readonly tenant: string;
  readonly onRecord: ((entries: readonly RecordEntry[]) => void | Promise<void>) | undefined;
  readonly logger: Logger;
}

/** Each request has a session of its own, so that nothing of it is kept once its record is told. */
export function answerRequests(agent: Agent, { tenant, onRecord, logger }: RequestOptions): Requests {
  const connection = `mcp_${crypto.randomUUID()}`;
  const sessions = new Set<Session>();
  const running = new Set<Promise<unknown>>();
  let count = 0;
  let closed = false;
  return {
    answer(use, signal, listen) {
      const answered = answerOne(use, signal, listen);
      track(answered);
      return answered;
    },
    async close() {
      closed = true;
      await Promise.allSettled(Array.from(sessions, (session) => session[Symbol.asyncDispose]()));
      while (running.size > 0) await Promise.allSettled(running);
    },
  };

  function track(work: Promise<unknown>): void {
    running.add(work);
    const done = (): void => void running.delete(work);
    work.then(done, done);
  }

  async function answerOne(
    use: ToolUse,
    signal: AbortSignal,
    listen: (events: AsyncIterable<RunEvent>) => void,
  ): Promise<ToolUseResult> {
    count += 1;
    const session = await agent.session(`${connection}_${count}`, { tenant });
    // A request that comes while we close finds its session closed.
    if (closed) await session[Symbol.asyncDispose]();
    const turn = session.turn({ signal });
    sessions.add(session);
    listen(turn.events);
    try {
      const { results } = await turn.dispatch([use]);
      return results[0] as ToolUseResult;
    } finally {
      track(end(session, turn));
    }
  }

  async function end(session: Session, turn: Turn): Promise<void> {
    const kept = keepRecord(turn.record());
    sessions.delete(session);
    await session[Symbol.asyncDispose]();
    await kept;
  }

  async function keepRecord(entries: readonly RecordEntry[]): Promise<void> {
    try {
      await onRecord?.(entries);
    } catch (error) {
      logger.error("the record of a request could not be kept: onRecord failed", { cause: error });
    }
  }
}
