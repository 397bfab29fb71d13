// Drives one program in a sandbox process: what the guest asks for goes out, what is settled goes back, one settlement a step, until it ends.
import type { Outcome } from "../bridge/outcome.ts";
import { isSuccess } from "../bridge/outcome.ts";
import type { Code } from "../errors.ts";
import { type JsonValue, parseJson } from "../json.ts";
import { bounds, type Limits } from "../limits.ts";
import { type CallError, type GuestError, type GuestLine, readGuestLine, type StartMessage } from "./protocol.ts";
import type { Sandbox, TurnReport } from "./sandbox.ts";

export type CallLine = Extract<GuestLine, { kind: "call" | "unoffered" | "bad" }>;

export type DriveEnd =
  | { readonly kind: "value"; readonly value: JsonValue; readonly bytes: number }
  /** `code` says what kind of failure it is; the error is the guest's own word. */
  | { readonly kind: "error"; readonly error: GuestError; readonly code: Code }
  | { readonly kind: "fault"; readonly code: Code; readonly message: string; readonly hint?: string };

export interface Driven {
  readonly end: DriveEnd;
  /** Whether the sandbox process can take another program. */
  readonly clean: boolean;
  readonly cpuMs: number;
  /** Turns that were heard of. */
  readonly turns: number;
  /** Time in which the guest waited. */
  readonly idleMs: number;
  /** Calls the program had not awaited when it ended, by the guest's number, with the stack of where each was made. */
  readonly pending: ReadonlyMap<number, string>;
}

export interface DriveOptions {
  readonly sandbox: Sandbox;
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

const linesAtOnce = 250;

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

export function drive(options: DriveOptions): Drive {
  const { sandbox, start } = options;
  const timers = new Map<number, NodeJS.Timeout>();
  const pending = new Map<number, string>();
  let settlements: { readonly seq: number; readonly kind: string; readonly json: string }[] = [];
  let sent: number[] = [];
  let delivered = 0;
  let inFlight = 0;
  let calls = 0;
  let printed = 0;
  let warnings = 0;
  let busy = true;
  let flushing = false;
  let over = false;
  let now = start.header.now;
  let cpuMs = 0;
  let turns = 0;
  let idleMs = 0;
  /** When the guest began to compute or to wait. */
  let since = performance.now();
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
    if (!clean) sandbox.kill();
    const lastMs = performance.now() - since;
    // A program that was killed while it computed is charged the time of its last stretch.
    const lastCpuMs = busy && !clean ? Math.min(lastMs, Math.max(0, start.cpuMs - cpuMs)) : 0;
    finish({
      end: how,
      clean,
      cpuMs: cpuMs + lastCpuMs,
      turns,
      idleMs: busy ? idleMs : idleMs + lastMs,
      pending,
    });
  }

  const fault = (code: Code, message: string, hint?: string): void =>
    end({ kind: "fault", code, message, ...(hint === undefined ? {} : { hint }) }, code === "deadlock");

  function flush(): void {
    flushing = false;
    if (over || busy || settlements.length === 0) return;
    busy = true;
    idleMs += performance.now() - since;
    since = performance.now();
    now = Math.max(now, Date.now());
    const lines = settlements.map(({ seq, kind, json }) =>
      json === "" ? `${seq} ${kind} ${now}` : `${seq} ${kind} ${now} ${json}`,
    );
    sent = settlements.map(({ seq }) => seq);
    settlements = [];
    sandbox.settle(lines);
  }

  function settle(seq: number, kind: string, json: string): void {
    if (over) return;
    settlements.push({ seq, kind, json });
    if (!flushing && !busy) {
      flushing = true;
      queueMicrotask(flush);
    }
  }

  function endWith(json: string): void {
    let value: JsonValue;
    try {
      if (json.length > bounds.transferBytes) throw new RangeError("too large");
      value = parseJson(json);
    } catch {
      return fault("protocol_violation", "the sandbox process sent a value that is not JSON, or too much of it");
    }
    end({ kind: "value", value, bytes: Buffer.byteLength(json) }, true);
    return undefined;
  }

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

  function read(line: GuestLine, syntax: boolean): void {
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
      case "applied": {
        const seqs = sent.slice(0, line.count);
        sent = [];
        if (seqs.length > 0) options.delivered(delivered + 1, now, seqs);
        delivered += seqs.length;
        return undefined;
      }
      case "pending":
        if (pending.size <= options.limits.calls) pending.set(line.seq, line.stack);
        return undefined;
      case "value":
        return endWith(line.json);
      case "error":
        return end({ kind: "error", error: line.error, code: syntax ? "syntax_error" : "program_error" }, true);
      case "unusable":
        return end({ kind: "error", error: line.error, code: line.error.code }, true);
    }
  }

  const limits: Record<string, () => void> = {
    cpu: () =>
      fault(
        "cpu_limit",
        `the program used up its ${start.cpuMs} ms of processor time`,
        "do less per program, or look for a loop that never ends (time stands still between awaits)",
      ),
    memory: () =>
      fault(
        "memory_limit",
        `the program used more than its ${options.limits.memoryMb} MB of memory`,
        "keep less at once: filter early, work in pages",
      ),
    lost: () => fault("sandbox_crashed", "the state of the program was lost"),
  };

  function onTurn(report: TurnReport): void {
    if (over) return;
    turns += 1;
    cpuMs = report.cpuMs;
    readFrom(report, 0);
  }

  /** A turn with many lines is read in parts, so that the host's thread is never held for long. */
  function readFrom(report: TurnReport, from: number): void {
    const to = Math.min(from + linesAtOnce, report.lines.length);
    for (let at = from; at < to; at += 1) {
      const line = readGuestLine(report.lines[at] ?? "");
      if (line === undefined) return fault("protocol_violation", "the sandbox process sent a line that is no message");
      read(line, report.end === "syntax");
      if (over) return undefined;
    }
    if (to < report.lines.length) setImmediate(() => (over ? undefined : readFrom(report, to)));
    else finishTurn(report.end);
    return undefined;
  }

  function finishTurn(how: TurnReport["end"]): void {
    const limit = limits[how];
    if (limit !== undefined) return limit();
    busy = false;
    since = performance.now();
    if (settlements.length > 0) return flush();
    if (inFlight === 0 && timers.size === 0) {
      fault(
        "deadlock",
        "the program waits for something that can never happen: no call and no timer is pending",
        "look for a promise that nothing resolves",
      );
    }
    return undefined;
  }

  sandbox.start(start, { onTurn, onGone: (gone) => fault(gone.code, gone.message) });
  return { ended, stop: (code, message) => fault(code, message) };
}
