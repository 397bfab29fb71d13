// Reads the messages that a server's process prints. All of it is hostile input: lines are bounded, and what is no
// message is skipped up to a budget.
import { lineReader } from "../runtime/lines.ts";
import { parseText } from "../json-parse.ts";
import { isObject } from "../is-object.ts";
import type { Gate } from "./gate.ts";

const budget = {
  /** Of lines since the last answer. */
  rubbishLines: 1_000,
  rubbishChars: 1_048_576,
} as const;

/** What a server may send in one message. */
export const messageChars = 33_554_432;

export interface Inbox {
  push(chunk: Uint8Array): void;
}

/** `onFlood` is told once, with what the server does; nothing is read after it. */
export function createInbox(gate: Gate, onMessage: (message: unknown) => void, onFlood: (what: string) => void): Inbox {
  let rubbishLines = 0;
  let rubbishChars = 0;
  let flooded = false;
  const reader = lineReader(messageChars, read);
  return {
    push(chunk) {
      if (!flooded && !reader.push(chunk)) flood(`it sent a line of more than ${messageChars} characters`);
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
    if (gate.isOpen(message.id) && !("method" in message)) {
      rubbishLines = 0;
      rubbishChars = 0;
    }
    const admitted = gate.admit(message);
    if (admitted !== undefined) onMessage(admitted);
  }

  function flood(what: string): void {
    if (flooded) return;
    flooded = true;
    onFlood(what);
  }
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseText(line);
    return isObject(value) && value.jsonrpc === "2.0" ? value : undefined;
  } catch {
    return undefined;
  }
}
