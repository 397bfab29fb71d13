// What a server may send us, whatever carries it: an answer to an open request, which is delivered even if it is broken, so
// that nobody waits for it; progress of such a request, thinned out where it floods; and the rest at a bounded rate.
import { isObject } from "../is-object.ts";
import { createMeter, type MeterRate } from "./meter.ts";

type Message = Readonly<Record<string, unknown>>;

export interface Gate {
  /** Learns of a message that is sent to the server. */
  sent(message: unknown): void;
  isOpen(id: unknown): boolean;
  /** The message to deliver; undefined for one that is not worth it. */
  admit(message: Message): Message | undefined;
}

const answerBudget: { readonly unasked: MeterRate; readonly progress: MeterRate } = {
  unasked: { burst: 10_000, perSecond: 1_000 },
  progress: { burst: 1_000, perSecond: 100 },
};

/** The codes of failures that we put in the place of an answer, from the range that the protocol leaves to us. */
const brokenCode = -32_050;

/** Whether an error was made by `brokenAnswer`. */
export const isBroken = (error: { readonly code: number; readonly data?: unknown }): boolean =>
  error.code === brokenCode && error.data === mark;

/** Identity that no server can send. */
const mark: object = Object.freeze({});

export const brokenAnswer = (id: unknown, message: string): Message => ({
  jsonrpc: "2.0",
  id,
  error: { code: brokenCode, message, data: mark },
});

/** `isAnswer` says whether the client of the MCP library would take a message as an answer; `onFlood` is told once. */
export function createGate(
  isAnswer: (message: unknown) => boolean,
  onFlood: (what: string) => void,
  now: () => number = () => performance.now(),
): Gate {
  const open = new Set<unknown>();
  const takeUnasked = createMeter(answerBudget.unasked, now);
  const takeProgress = createMeter(answerBudget.progress, now);
  let flooded = false;
  return {
    sent(message) {
      if (!isObject(message)) return;
      if ("id" in message && "method" in message) open.add(message.id);
      if (message.method === "notifications/cancelled" && isObject(message.params))
        open.delete(message.params.requestId);
    },
    isOpen: (id) => open.has(id),
    admit(message) {
      if (flooded) return undefined;
      if (!("method" in message) && isOurs(message.id)) {
        const id = Number(message.id);
        open.delete(id);
        return isAnswer(message) ? message : brokenAnswer(id, "the server answered with what is no result");
      }
      if (isProgress(message)) return takeProgress() ? message : undefined;
      if (takeUnasked()) return message;
      flooded = true;
      const { burst, perSecond } = answerBudget.unasked;
      onFlood(`it sent more than ${burst} messages that nobody asked for, faster than ${perSecond} a second`);
      return undefined;
    },
  };

  function isOurs(id: unknown): boolean {
    return open.has(id) || (typeof id === "string" && open.has(Number(id)));
  }

  function isProgress({ method, params }: Message): boolean {
    return method === "notifications/progress" && isObject(params) && open.has(params.progressToken);
  }
}
