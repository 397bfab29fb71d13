import { readLimits } from "../limits.ts";
import type { Composed, Form } from "../registry/composition.ts";
import type { RunResult } from "../runtime/result.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { CallOutcome } from "./outcome.ts";
import type { FoundHits, SearchOptions } from "./search.ts";
import { openAnonymousSession, openKeptSession, type Session, type SessionOptions } from "./session.ts";
import type { CallOptions, RunOptions, Turn } from "./turn.ts";
import { createViews, type TurnSurface } from "./view.ts";

/** What `start()` returns: immutable, shared by all chats. */
export interface Agent {
  readonly name: string;
  readonly form: Form;
  session(id: string, options?: SessionOptions): Promise<Session>;
  /** These are the same on an anonymous session's only turn. */
  surface(): TurnSurface;
  search(query: string, options?: SearchOptions): FoundHits;
  run(code: string, options?: RunOptions & SessionOptions): Promise<RunResult>;
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions & SessionOptions,
  ): Promise<CallOutcome>;
}

export function joinAgent(composed: Composed<Runtime>): Agent {
  const views = createViews(composed);
  const limits = composed.runtime?.limits ?? readLimits();
  const home = { composed, views, limits };

  async function once<T>(
    { tenant, identity, services, workspace, confirmationGated, budget, ...given }: RunOptions & SessionOptions,
    use: (turn: Turn, given: RunOptions) => Promise<T>,
  ): Promise<T> {
    const options = {
      ...(tenant === undefined ? {} : { tenant }),
      identity,
      ...(services === undefined ? {} : { services }),
      ...(workspace === undefined ? {} : { workspace }),
      ...(confirmationGated === undefined ? {} : { confirmationGated }),
      ...(budget === undefined ? {} : { budget }),
    };
    await using session = openAnonymousSession(home, anonymousId(), options);
    return await use(session.turn(), given);
  }

  return Object.freeze({
    name: composed.name,
    form: composed.form,
    session: async (id: string, options?: SessionOptions) => openKeptSession(home, id, options),
    surface: () => openAnonymousSession(home, anonymousId()).turn().surface(),
    search: (query: string, options?: SearchOptions) =>
      openAnonymousSession(home, anonymousId()).turn().search(query, options),
    run: (code: string, options: RunOptions & SessionOptions = {}) =>
      once(options, (turn, given) => turn.run(code, given)),
    call: (name: string, args?: Readonly<Record<string, unknown>>, options: CallOptions & SessionOptions = {}) =>
      once(options, (turn, given) => turn.call(name, args, given)),
  });
}

const anonymousId = (): string => `anonymous_${crypto.randomUUID()}`;
