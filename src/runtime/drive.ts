// Drives one program in a sandbox process: what the guest asks for goes out, what is settled goes back, one settlement a step, until it ends.
import type { Outcome } from "../bridge/outcome.ts";
import { isSuccess } from "../bridge/outcome.ts";
import type { Code } from "../errors.ts";
import { type JsonValue, parseJson } from "../json.ts";
import { bounds, type Limits } from "../limits.ts";
import type { Truncation } from "../preview.ts";
import { isObject } from "../is-object.ts";
import { type CallLine, nameOfNumber } from "./call-line.ts";
import type { CallError, GuestError, GuestLine, Settlement, StartMessage } from "./protocol.ts";
import { createRebuild, type Standing } from "./rebuild.ts";
import type { Sandbox } from "./sandbox.ts";
import { openSeat, type Seats, type Spent } from "./seat.ts";

export type DriveEnd =
  /** `whole`: its JSON text, where a model may be shown it shortened. */
  | { readonly kind: "value"; readonly value: JsonValue; readonly truncated?: Truncation; readonly whole?: string }
  /** `code` says what kind of failure it is; the error is the guest's own word. */
  | { readonly kind: "error"; readonly error: GuestError; readonly code: Code }
  | { readonly kind: "fault"; readonly code: Code; readonly message: string; readonly hint?: string }
  /** It waits for people alone, and goes on from its journal once they have answered. */
  | { readonly kind: "suspended" };

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
  /** `state` as the program left it, JSON text of an object. */
  readonly left?: (json: string) => void;
  /** A rejection that nothing handled, as far as it is known. */
  readonly rejected?: (error: GuestError) => void;
  /** For the host alone: what went wrong, and its cause. */
  readonly log?: (message: string, cause: unknown) => void;
  /** Settlements `first`, `first + 1`, … delivered these at `now`. */
  readonly delivered: (first: number, now: number, seqs: readonly number[]) => void;
  /** The program computes, and may ask for more before it waits; or it waits. */
  readonly computing?: (does: boolean) => void;
  /** A timer was asked for, `at` in ms since 1970. */
  readonly timed?: (seq: number, ms: number, at: number) => void;
  /** What was seen of the program after so many deliveries, told each time that it waits. */
  readonly saw?: (turns: number, digest: string, cpuMs: number) => void;
  /** Calls that only wait for a person who may answer later; with it a program that waits for nothing else is suspended. */
  readonly waiting?: () => number;
  /** Where the program goes on from; it is repeated up to there first, and only then `rejoin` is asked for what is open. */
  readonly standing?: Standing;
  readonly rejoin?: (seq: number) => Promise<Outcome>;
  /** It stands where its journal says, and nothing of what is open or new has gone on yet. */
  readonly stands?: () => void;
  /** What it printed before, told once it stands. */
  readonly reprinted?: (level: string, text: string) => void;
}

export interface Drive {
  readonly ended: Promise<Driven>;
  /** Ends the program now and kills its process. */
  stop(code: Code, message: string): void;
  /** Something began to wait for a person. */
  maySuspend(): void;
}

const isNote = ({ kind }: GuestLine): boolean => kind === "warning" || kind === "lost";

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

function isObjectText(json: string): boolean {
  try {
    return isObject(parseJson(json));
  } catch {
    return false;
  }
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
  const { standing } = options;
  const timers = new Map<number, { readonly due: number; readonly timer: NodeJS.Timeout }>();
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
    for (const { timer } of timers.values()) clearTimeout(timer);
    timers.clear();
    options.computing?.(false);
    finish({ end: how, ...seat.leave(clean), pending });
  }

  const fault = (code: Code, message: string, hint?: string): void =>
    end({ kind: "fault", code, message, ...(hint === undefined ? {} : { hint }) }, code === "deadlock");

  function flush(): void {
    flushing = false;
    if (over || !seat.listens || settlements.length === 0) return;
    options.computing?.(true);
    seat.deliver(takeBatch(settlements));
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
  function endWith(json: string, truncated?: Truncation, given = json): void {
    const { returnBytes } = options.limits;
    let value: JsonValue;
    try {
      if (Buffer.byteLength(json) > returnBytes) throw new RangeError("too large");
      if (truncated !== undefined && truncated.bytes <= returnBytes) throw new RangeError("too small");
      if (truncated !== undefined && truncated.bytes !== Buffer.byteLength(given))
        throw new RangeError("another value");
      value = parseJson(json);
    } catch {
      return fault("protocol_violation", "the sandbox process sent a value that is not JSON, or too much of it");
    }
    const whole = truncated !== undefined || given.length > bounds.referredChars ? { whole: given } : {};
    end({ kind: "value", value, ...whole, ...(truncated === undefined ? {} : { truncated }) }, true);
    return undefined;
  }

  /** A limit that ended the program by an error it did not catch is named where it was really met. */
  const thrownCode = ({ code }: GuestError): Code =>
    code === "calls_limit" && calls > options.limits.calls ? code : "program_error";

  function take(line: CallLine): void {
    calls += 1;
    answer(line);
  }

  function answer(line: CallLine): void {
    // The guest sends one call over its limit, so that it is recorded; more come only from a guest that is not ours.
    if (calls > options.limits.calls + 1)
      return fault("protocol_violation", "the sandbox process asked for more calls than it may");
    settleWith(line.seq, toolOf(line), options.call(line));
  }

  function settleWith(seq: number, tool: string, outcome: Promise<Outcome>): void {
    inFlight += 1;
    outcome
      .then((settled) => {
        inFlight -= 1;
        const { kind, json } = settlementOf(seq, settled, tool);
        settle(seq, kind, json);
        return undefined;
      })
      .catch((error: unknown) => {
        options.log?.("a call could not be answered", error);
        fault("internal_error", "a call could not be answered");
      });
  }

  const toolOf = (line: CallLine): string =>
    line.kind === "unoffered" ? line.name.slice(0, 200) : nameOfNumber(start.header.tools, line.tool);

  function leaveState(json: string): void {
    if (Buffer.byteLength(json) > options.limits.stateBytes || !isObjectText(json))
      return fault("protocol_violation", "the sandbox process sent a state that is none, or too much of it");
    options.left?.(json);
    return undefined;
  }

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
    const now = Date.now();
    options.timed?.(seq, ms, now);
    setTimer(seq, ms, now + ms);
  }

  function setTimer(seq: number, ms: number, due: number): void {
    const fire = (): void => {
      timers.delete(seq);
      settle(seq, "fire", "");
    };
    timers.set(seq, { due, timer: setTimeout(fire, Math.min(ms, bounds.longestTimerMs)) });
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
        clearTimeout(timers.get(line.seq)?.timer);
        timers.delete(line.seq);
        return undefined;
      case "console":
        return print(line.level, line.text);
      case "warning":
        warnings += 1;
        return warnings > bounds.warnings ? undefined : options.warn(line.text);
      case "lost":
        warnings += 1;
        return warnings > bounds.warnings ? undefined : options.rejected?.(line.error);
      case "pending":
        if (pending.size <= options.limits.calls) pending.set(line.seq, line.stack);
        return undefined;
      case "value":
        return endWith(line.json);
      case "preview":
        return endWith(line.json, line.truncated, line.whole);
      case "state":
        return leaveState(line.json);
      case "error":
        return end({ kind: "error", error: line.error, code: syntax ? "syntax_error" : thrownCode(line.error) }, true);
      case "unusable":
        return end({ kind: "error", error: line.error, code: line.error.code }, true);
    }
  }

  const rebuild = standing === undefined ? undefined : createRebuild(standing, toolOf);
  let stands = standing === undefined;

  /** The program stands where the journal says: what ended meanwhile is told, what is open goes on, what is new begins. */
  function standUp(known: Standing): void {
    stands = true;
    const now = Date.now();
    const rebuilt = rebuild?.finish(now);
    if (rebuilt === undefined) return;
    if ("code" in rebuilt) return fault(rebuilt.code, rebuilt.message, rebuilt.hint);
    options.stands?.();
    calls = rebuilt.calls;
    const ends = rebuilt.said.filter((line) => line.kind !== "console" && !isNote(line));
    for (const line of rebuilt.said) {
      if (line.kind === "console") {
        printed += Buffer.byteLength(line.text) + 1;
        options.reprinted?.(line.level, line.text);
      } else if (isNote(line)) read(line, false);
    }
    settlements.push(...known.untold);
    for (const [seq, { due, isKnown, ms }] of rebuilt.timers) {
      if (!isKnown) options.timed?.(seq, ms, now);
      setTimer(seq, Math.max(0, due - now), due);
    }
    for (const seq of known.open) {
      const outcome = options.rejoin?.(seq);
      if (outcome !== undefined) settleWith(seq, known.calls.get(seq)?.tool ?? "", outcome);
    }
    for (const line of rebuilt.fresh) answer(line);
    // It had come to its end in what it said last: what it asked for until then goes on all the same.
    for (const line of ends) read(line, false);
  }

  const soonMs = (): number => Math.min(Infinity, ...[...timers.values()].map(({ due }) => due)) - Date.now();

  function maySuspend(): void {
    if (over || !stands || !seat.listens || settlements.length > 0 || inFlight === 0) return;
    if (options.waiting?.() !== inFlight || soonMs() <= bounds.suspendGraceMs) return;
    end({ kind: "suspended" }, true);
  }

  function goOn(): void {
    if (standing !== undefined && !stands) standUp(standing);
    if (over) return undefined;
    if (settlements.length > 0) return flush();
    options.computing?.(false);
    maySuspend();
    if (over) return undefined;
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
    ...(standing === undefined ? {} : { stood: standing }),
    onRepeat: () => rebuild?.reset(),
    onRepeated: (line, isNew) => {
      const differs = rebuild?.hear(line, isNew);
      if (differs !== undefined) fault(differs.code, differs.message, differs.hint);
    },
  });
  return { ended, stop: (code, message) => fault(code, message), maySuspend };
}

/** How a call ended, as the program is told of it. */
export function settlementOf(seq: number, outcome: Outcome, tool: string): Settlement {
  return isSuccess(outcome)
    ? { seq, kind: "ok", json: outcome.json }
    : { seq, kind: "err", json: errorLine(outcome, tool) };
}
