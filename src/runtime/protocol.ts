// The one place that says what crosses between host, sandbox process and guest. Everything is text in lines; JSON text holds no line break.
//
// Host to sandbox process:
//   P{json StartMessage}              run this program
//   D<program> <count> <cpuMicros>    then <count> settlement lines, applied one `step` each; so much of the budget is used
//   N                                 make a fresh isolate
// Sandbox process to host:
//   R{json ReadyMessage}              ready for a program
//   B<program>                        it has the program; whatever happens to the process before is not the program's doing
//   O<program> <cpuMicros> <count> <end>   then <count> guest lines; <end> is one of TurnEnd
// Guest lines (see GuestLine), written by the guest's `take()`, read here as hostile input:
//   C<seq> <tool> <json>              a call of an offered tool, by its number, or of a provided function, by a number behind those
//   N<seq> {name, args}               a call of a name that was not offered; args is JSON text
//   X<seq> <tool> {code, message}     a call whose arguments cannot leave
//   T<seq> <ms> | K<seq>              a timer is asked for | taken back
//   L<level> <json text>              a line of the console, charged its UTF-8 bytes and one for its end
//   W <json text>                     a warning
//   J {GuestError}                    a rejection that nothing handled, as far as isolated-vm tells of it
//   S<count>                          so many settlements were applied: the first one, where there is one
//   U<seq> <json text>                a call still pending at the end; its stack, empty where there is none
//   M <json>                          `state` as the program left it, where it changed it
// and as the last one of
//   R <json>                          the program returned this value, within `returnBytes`
//   P<n>,<m> {Truncation}<json>   it returned a value that is over `returnBytes`: n characters that say of what, m of a preview, and
//                             the value itself
//   V {GuestError}                    it returned what cannot leave: the code is one of UnusableCode
//   E {GuestError}                    it threw; all of it, its code as well, is the program's own word
// Settlement lines, read by the guest's `step()`:
//   <seq> ok <now> <json value> | <seq> err <now> <json CallError> | <seq> fire <now>
import { bounds } from "../limits.ts";
import type { Dropped, Truncation } from "../preview.ts";

export interface GuestTool {
  readonly name: string;
  readonly alias?: string;
}

/** What the guest is told before its program starts; `now` is in ms since 1970, `seed` four 32-bit numbers. */
export interface GuestHeader {
  readonly tools: readonly GuestTool[];
  readonly seed: readonly [number, number, number, number];
  readonly now: number;
  /** `state` as the program finds it, JSON text. */
  readonly state: string;
  readonly limits: {
    readonly calls: number;
    readonly argumentBytes: number;
    readonly consoleBytes: number;
    readonly returnBytes: number;
    readonly stateBytes: number;
    readonly transferBytes: number;
    readonly timers: number;
  };
}

export interface StartMessage {
  readonly program: string;
  readonly js: string;
  readonly cpuMs: number;
  readonly header: GuestHeader;
}

/** The end of a call or a timer that the guest waits for; `json` is empty for a timer. */
export interface Settlement {
  readonly seq: number;
  readonly kind: "ok" | "err" | "fire";
  readonly json: string;
}

export const settlementLine = ({ seq, kind, json }: Settlement, now: number): string =>
  json === "" ? `${seq} ${kind} ${now}` : `${seq} ${kind} ${now} ${json}`;

export interface ReadyMessage {
  readonly node: string;
  readonly v8: string;
  readonly bootstrap: string;
}

/** How a turn ended for the sandbox process: the guest still runs or is done, or a limit ended it. */
export type TurnEnd = "-" | "cpu" | "memory" | "lost" | "syntax";

/** A tool's failure as the guest makes a `ToolError` of it. */
export interface CallError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: unknown;
  readonly status: string;
  readonly effect: string;
  readonly tool: string;
}

/** A thrown value flattened in the guest, every text bounded. */
export interface GuestError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly hint?: string;
  /** JSON fields of the error, or the thrown value itself where it is no error. */
  readonly details?: unknown;
  readonly cause?: GuestError;
}

/** Why a returned value cannot leave. */
export type UnusableCode = "return_not_json" | "return_too_large";

export type GuestLine =
  | { readonly kind: "call"; readonly seq: number; readonly tool: number; readonly args: string }
  | { readonly kind: "unoffered"; readonly seq: number; readonly name: string; readonly args: string }
  | {
      readonly kind: "bad";
      readonly seq: number;
      readonly tool: number;
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: "timer"; readonly seq: number; readonly ms: number }
  | { readonly kind: "clear"; readonly seq: number }
  | { readonly kind: "console"; readonly level: string; readonly text: string }
  | { readonly kind: "warning"; readonly text: string }
  | { readonly kind: "lost"; readonly error: GuestError }
  | { readonly kind: "applied"; readonly count: number }
  | { readonly kind: "pending"; readonly seq: number; readonly stack: string }
  | { readonly kind: "value"; readonly json: string }
  | { readonly kind: "state"; readonly json: string }
  | { readonly kind: "preview"; readonly json: string; readonly truncated: Truncation; readonly whole: string }
  | { readonly kind: "unusable"; readonly error: GuestError & { readonly code: UnusableCode } }
  | { readonly kind: "error"; readonly error: GuestError };

const isUnusable = (code: string | undefined): code is UnusableCode =>
  code === "return_not_json" || code === "return_too_large";

/** Of an error's name and code. */
const nameChars = 200;
/** Of what is told beside a preview; a character of a path takes six at most. */
const truncationChars = bounds.dropped * (bounds.pathChars * 6 + 100);
const consoleLevels = new Set(["log", "info", "warn", "error", "debug"]);

const index = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

function string(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function object(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function guestError(value: unknown, depth = 0): GuestError | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  if (typeof fields.name !== "string" || typeof fields.message !== "string") return undefined;
  const text = (key: string, chars: number): Record<string, string> =>
    typeof fields[key] === "string" ? { [key]: fields[key].slice(0, chars) } : {};
  const cause = depth < 5 ? guestError(fields.cause, depth + 1) : undefined;
  return {
    name: fields.name.slice(0, nameChars),
    message: fields.message.slice(0, bounds.messageChars),
    ...text("stack", bounds.stackChars),
    ...text("code", nameChars),
    ...text("hint", bounds.messageChars),
    ...(fields.details === undefined ? {} : { details: fields.details }),
    ...(cause === undefined ? {} : { cause }),
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isDropped(value: unknown): value is Dropped {
  if (typeof value !== "object" || value === null) return false;
  const { path, kept, of, ...rest } = value as Record<string, unknown>;
  return (
    typeof path === "string" &&
    path.length <= bounds.pathChars &&
    isCount(kept) &&
    isCount(of) &&
    Object.keys(rest).length === 0
  );
}

function truncation(text: string): Truncation | undefined {
  const { bytes, dropped, more } = object(text) ?? {};
  if (!isCount(bytes) || !Array.isArray(dropped) || dropped.length > bounds.dropped) return undefined;
  if (!dropped.every(isDropped) || !isCount(more)) return undefined;
  return { bytes, dropped, ...(more === 0 ? {} : { more }) };
}

/** Reads one guest line; `undefined` where it is none of the known shapes. */
export function readGuestLine(line: string): GuestLine | undefined {
  const space = line.indexOf(" ");
  const head = space < 0 ? line.slice(1) : line.slice(1, space);
  const rest = space < 0 ? "" : line.slice(space + 1);
  switch (line[0]) {
    case "C": {
      const seq = index(head);
      const cut = rest.indexOf(" ");
      const tool = index(rest.slice(0, cut));
      return seq === undefined || tool === undefined || cut < 0
        ? undefined
        : { kind: "call", seq, tool, args: rest.slice(cut + 1) };
    }
    case "N": {
      const seq = index(head);
      const body = object(rest);
      return seq === undefined || typeof body?.name !== "string" || typeof body.args !== "string"
        ? undefined
        : { kind: "unoffered", seq, name: body.name, args: body.args };
    }
    case "X": {
      const seq = index(head);
      const cut = rest.indexOf(" ");
      const tool = index(rest.slice(0, cut));
      const body = object(rest.slice(cut + 1));
      return seq === undefined ||
        tool === undefined ||
        typeof body?.code !== "string" ||
        typeof body.message !== "string"
        ? undefined
        : { kind: "bad", seq, tool, code: body.code, message: body.message };
    }
    case "T": {
      const seq = index(head);
      const ms = index(rest);
      return seq === undefined || ms === undefined ? undefined : { kind: "timer", seq, ms };
    }
    case "K": {
      const seq = index(head);
      return seq === undefined ? undefined : { kind: "clear", seq };
    }
    case "L": {
      const text = string(rest);
      return text === undefined || !consoleLevels.has(head) ? undefined : { kind: "console", level: head, text };
    }
    case "W": {
      const text = string(rest);
      return text === undefined ? undefined : { kind: "warning", text };
    }
    case "J": {
      const error = guestError(object(rest));
      return error === undefined ? undefined : { kind: "lost", error };
    }
    case "S": {
      const count = index(head);
      return count === undefined ? undefined : { kind: "applied", count };
    }
    case "U": {
      const seq = index(head);
      const stack = string(rest);
      return seq === undefined || stack === undefined ? undefined : { kind: "pending", seq, stack };
    }
    case "R":
      return { kind: "value", json: rest };
    case "M":
      return { kind: "state", json: rest };
    case "P": {
      const comma = head.indexOf(",");
      const chars = index(head.slice(0, Math.max(0, comma)));
      const shown = index(head.slice(comma + 1));
      if (chars === undefined || shown === undefined || chars > truncationChars) return undefined;
      const truncated = truncation(rest.slice(0, chars));
      const [json, whole] = [rest.slice(chars, chars + shown), rest.slice(chars + shown)];
      return truncated && { kind: "preview", truncated, json, whole };
    }
    case "V": {
      const error = guestError(object(rest));
      return isUnusable(error?.code) ? { kind: "unusable", error: { ...error, code: error.code } } : undefined;
    }
    case "E": {
      const error = guestError(object(rest));
      return error === undefined ? undefined : { kind: "error", error };
    }
    default:
      return undefined;
  }
}
