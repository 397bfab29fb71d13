// Reads the messages that a server's process prints. All of it is hostile input: lines are bounded, what is no message
// is skipped up to a budget, and so is what nobody asked for.
import { lineReader } from "../runtime/lines.ts";
import { isObject } from "./values.ts";

const budget = {
  lineChars: 33_554_432,
  rubbishLines: 1_000,
  rubbishChars: 1_048_576,
  /** Messages that answer nothing, since the last answer. */
  unasked: 10_000,
} as const;

export interface Inbox {
  push(chunk: Uint8Array): void;
}

/** `onFlood` is told once, with what the server does; nothing is read after it. */
export function createInbox(onMessage: (message: unknown) => void, onFlood: (what: string) => void): Inbox {
  let rubbishLines = 0;
  let rubbishChars = 0;
  let unasked = 0;
  let flooded = false;
  const reader = lineReader(budget.lineChars, read);
  return {
    push(chunk) {
      if (!flooded && !reader.push(chunk)) flood(`it sent a line of more than ${budget.lineChars} characters`);
    },
  };

  function read(line: string): void {
    if (flooded || line.trim() === "") return;
    const message = parse(line);
    if (message === undefined) {
      rubbishLines += 1;
      rubbishChars += line.length;
      if (rubbishLines > budget.rubbishLines || rubbishChars > budget.rubbishChars) {
        flood(`it floods its stdout with what is no JSON-RPC message, such as ${JSON.stringify(line.slice(0, 80))}`);
      }
      return;
    }
    if ("method" in message) {
      unasked += 1;
      if (unasked > budget.unasked) {
        flood(`it sent more than ${budget.unasked} messages that nobody asked for`);
        return;
      }
    } else {
      unasked = 0;
      rubbishLines = 0;
      rubbishChars = 0;
    }
    onMessage(message);
  }

  function flood(what: string): void {
    if (flooded) return;
    flooded = true;
    onFlood(what);
  }
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && value.jsonrpc === "2.0" ? value : undefined;
  } catch {
    return undefined;
  }
}
