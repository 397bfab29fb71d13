// Drives one program in a sandbox process: what the guest asks for goes out, what is settled goes back, one settlement a step, until it ends.
import type { Outcome } from "../bridge/outcome.ts";
import { isSuccess } from "../bridge/outcome.ts";
import type { Code } from "../errors.ts";
import { type JsonValue, parseJson } from "../json.ts";
import { bounds, type Limits } from "../limits.ts";
import type { Truncation } from "../preview.ts";
import type { CallError, GuestError, GuestLine, Settlement, StartMessage } from "./protocol.ts";
import type { Sandbox } from "./sandbox.ts";
import { openSeat, type Seats, type Spent } from "./seat.ts";

export type CallLine = Extract<GuestLine, { kind: "call" | "unoffered" | "bad" }>;

export type DriveEnd =
  | { readonly kind: "value"; readonly value: JsonValue; readonly truncated?: Truncation }
  /** `code` says what kind of failure it is; the error is the guest's own word. */
  | { readonly kind: "error"; readonly error: GuestError; readonly code: Code }
  | { readonly kind: "fault"; readonly code: Code; readonly message: string; readonly hint?: string };

export interface Driven extends Spent {
  readonly end: DriveEnd;
  /** Calls the program had not awaited when it ended, by the guest's number, with the stack of where each was made. */
  readonly pending: ReadonlyMap<number, string>;
}

export interface DriveOptions {
  /** Where the program starts, and where it goes on if it gives this one up or loses it; all are given back. */
  readonly sandbox: Sandbox;
  readonly seats: Seats;
  readonly start: StartMessage;
  readonly limits: Limits;
  readonly call: (line: CallLine) => Promise<Outcome>;
  readonly console: (level: string, text: string) => void;
  readonly warn: (text: string) => void;
  /** Settlements `first`, `first + 1`, … delivered these at `now`. */
  readonly delivered: (first: number, now: number, seqs: readonly number[]) => void;
}

export interface Drive {
  readonly ended: Promise<Driven>;
  /** Ends the program now and kills its process. */
  stop(code: Code, message: string): void;
}

function errorLine(outcome: Exclude<Outcome, { json: string }>, tool: string): string {
  const { code, message, hint, details } = outcome.failure;
  const error: CallError = {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
    status: outcome.status,
    effect: outcome.effect,
    tool,
  };
  return JSON.stringify(error);
}

/** Takes as much from the front of a queue as one message gives to a program. */
function takeBatch(queue: Settlement[]): Settlement[] {
  let chars = 0;
  let count = 0;
  while (count < queue.length && count < bounds.settledAtOnce && chars < bounds.settledChars) {
    chars += queue[count]?.json.length ?? 0;
    count += 1;
  }
  return queue.splice(0, count);
}

export function drive(options: DriveOptions): Drive {
  const { start } = options;
  const timers = new Map<number, NodeJS.Timeout>();
  const pending = new Map<number, string>();
  const settlements: Settlement[] = [];
  let inFlight = 0;
  let calls = 0;
  let printed = 0;
  let warnings = 0;
  let flushing = false;
  let over = false;
  let finish: (driven: Driven) => void = () => undefined;
  const ended = new Promise<Driven>((resolve) => {
    finish = resolve;
  });

  function end(how: DriveEnd, clean: boolean): void {
    if (over) return;
    over = true;
    if (how.kind === "value" && timers.size > 0) {
      options.warn(
        `the program returned before ${timers.size === 1 ? "a timer" : `${timers.size} timers`} fired; await what must happen`,
      );
    }
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
    finish({ end: how, ...seat.leave(clean), pending });
  }

  const fault = (code: Code, message: string, hint?: string): void =>
    end({ kind: "fault", code, message, ...(hint === undefined ? {} : { hint }) }, code === "deadlock");

  function flush(): void {
    flushing = false;
    if (!over && seat.listens && settlements.length > 0) seat.deliver(takeBatch(settlements));
  }

  function settle(seq: number, kind: Settlement["kind"], json: string): void {
    if (over) return;
    settlements.push({ seq, kind, json });
    if (!flushing && seat.listens) {
      flushing = true;
      queueMicrotask(flush);
    }
  }

  /** The value is parsed only where it is as small as the guest has to make it; a preview says that it is smaller than the value. */
  function endWith(json: string, truncated?: Truncation): void {
    const { returnBytes } = options.limits;
    let value: JsonValue;
    try {
      if (Buffer.byteLength(json) > returnBytes) throw new RangeError("too large");
      if (truncated !== undefined && truncated.bytes <= returnBytes) throw new RangeError("too small");
      value = parseJson(json);
    } catch {
      return fault("protocol_violation", "the sandbox process sent a value that is not JSON, or too much of it");
    }
    end({ kind: "value", value, ...(truncated === undefined ? {} : { truncated }) }, true);
    return undefined;
  }

  /** A limit that ended the program by an error it did not catch is named where it was really met. */
  const thrownCode = ({ code }: GuestError): Code =>
    code === "calls_limit" && calls > options.limits.calls ? code : "program_error";

  function take(line: CallLine): void {
    calls += 1;
    // The guest sends one call over its limit, so that it is recorded; more come only from a guest that is not ours.
    if (calls > options.limits.calls + 1)
      return fault("protocol_violation", "the sandbox process asked for more calls than it may");
    inFlight += 1;
    options
      .call(line)
      .then((outcome) => {
        inFlight -= 1;
        if (isSuccess(outcome)) settle(line.seq, "ok", outcome.json);
        else settle(line.seq, "err", errorLine(outcome, toolOf(line)));
        return undefined;
      })
      .catch(() => fault("internal_error", "a call could not be answered"));
  }

  const toolOf = (line: CallLine): string =>
    line.kind === "unoffered" ? line.name.slice(0, 200) : (start.header.tools[line.tool]?.name ?? "");

  function print(level: string, text: string): void {
    printed += Buffer.byteLength(text) + 1;
    // The guest keeps to its budget; more comes only from a guest that is not ours.
    if (printed > options.limits.consoleBytes) {
      return fault("protocol_violation", "the sandbox process printed more than it may");
    }
    options.console(level, text);
    return undefined;
  }

  function wait(seq: number, ms: number): void {
    if (timers.size >= bounds.timers)
      return fault("protocol_violation", "the sandbox process asked for more timers than it may");
    timers.set(
      seq,
      setTimeout(
        () => {
          timers.delete(seq);
          settle(seq, "fire", "");
        },
        Math.min(ms, bounds.longestTimerMs),
      ),
    );
  }

  function read(line: Exclude<GuestLine, { kind: "applied" }>, syntax: boolean): void {
    switch (line.kind) {
      case "call":
      case "unoffered":
      case "bad":
        return take(line);
      case "timer":
        return wait(line.seq, line.ms);
      case "clear":
        clearTimeout(timers.get(line.seq));
        timers.delete(line.seq);
        return undefined;
      case "console":
        return print(line.level, line.text);
      case "warning":
        warnings += 1;
        return warnings > bounds.warnings ? undefined : options.warn(line.text);
      case "pending":
        if (pending.size <= options.limits.calls) pending.set(line.seq, line.stack);
        return undefined;
      case "value":
        return endWith(line.json);
      case "preview":
        return endWith(line.json, line.truncated);
      case "error":
        return end({ kind: "error", error: line.error, code: syntax ? "syntax_error" : thrownCode(line.error) }, true);
      case "unusable":
        return end({ kind: "error", error: line.error, code: line.error.code }, true);
    }
  }

  function goOn(): void {
    if (settlements.length > 0) return flush();
    if (inFlight > 0 || timers.size > 0) return seat.rest();
    return fault(
      "deadlock",
      "the program waits for something that can never happen: no call and no timer is pending",
      "look for a promise that nothing resolves",
    );
  }

  const seat = openSeat({
    ...options,
    onLine: read,
    onListen: goOn,
    onFault: ({ code, message, hint }) => fault(code, message, hint),
  });
  return { ended, stop: (code, message) => fault(code, message) };
}
