// Questions of one step that stand at the same time are put on one card: it is put once no call of the step is in a stage
// before `approve` and no more can come, without waiting for any time to pass.
import { type Answer, type ApprovalItem, type AskHost, readAnswers } from "./answers.ts";

export interface Approvals {
  /** A call is on its way to where it may ask. */
  enter(call: object): void;
  /** It has come to there, or it has ended. */
  pass(call: object): void;
  /** While more calls may come that belong with those that are there, no card is put. */
  gather(mayCome: boolean): void;
  /** Rejects where asking failed. */
  ask(call: object, item: ApprovalItem): Promise<Answer>;
  /** The call does not wait for its answer any more. */
  withdraw(call: object, reason: unknown): void;
}

interface Waiting {
  readonly item: ApprovalItem;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  card?: { readonly controller: AbortController; open: number };
}

export function createApprovals(host: AskHost | undefined): Approvals {
  const before = new Set<object>();
  const waiting = new Map<object, Waiting>();
  let mayCome = false;
  let isDue = false;

  const isReady = (): boolean => !mayCome && before.size === 0;

  function put(): void {
    isDue = false;
    if (!isReady()) return;
    const asked = [...waiting.values()].filter(({ card }) => card === undefined);
    if (asked.length > 0) void putCard(asked);
  }

  /** A microtask later, as the calls of one response or message come one after another. */
  function look(): void {
    if (isDue || waiting.size === 0 || !isReady()) return;
    isDue = true;
    queueMicrotask(put);
  }

  async function putCard(asked: readonly Waiting[]): Promise<void> {
    const controller = new AbortController();
    const card = { controller, open: asked.length };
    for (const one of asked) one.card = card;
    const items = Object.freeze(asked.map(({ item }) => item));
    try {
      if (host === undefined) throw new Error("there is nobody to ask");
      const only = items.length === 1 ? items[0] : undefined;
      const given = await host(Object.freeze({ ...only, items, signal: controller.signal }));
      for (const [index, answer] of readAnswers(given, items).entries()) asked[index]?.resolve(answer);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return {
    enter: (call) => void before.add(call),
    pass(call) {
      if (before.delete(call)) look();
    },
    gather(on) {
      mayCome = on;
      look();
    },
    ask(call, item) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      waiting.set(call, { item, resolve, reject });
      before.delete(call);
      look();
      return promise.finally(() => waiting.delete(call));
    },
    withdraw(call, reason) {
      const one = waiting.get(call);
      if (one === undefined) return;
      waiting.delete(call);
      const { card } = one;
      if (card === undefined) return;
      card.open -= 1;
      if (card.open === 0) card.controller.abort(reason);
    },
  };
}
