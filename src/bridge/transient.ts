// C9: which failures of a tool may pass by themselves. What was thrown is foreign: whatever it is, reading it does not throw.
import { ToolError, TransientError } from "../errors.ts";

export interface Transient {
  /** In words that hold nothing of what was thrown but a code or a status. */
  readonly reason: string;
  /** What the service asks to be left alone for, in ms. */
  readonly retryAfterMs?: number;
}

const connectionCodes: ReadonlySet<unknown> = new Set(["ECONNRESET", "ETIMEDOUT", "EPIPE", "UND_ERR_SOCKET"]);
const rateLimited = "rate_limited";
const causesAtMost = 5;

/** Why a failure is transient; `undefined` where it is not. `now` in ms since 1970. */
export function readTransient(thrown: unknown, now: number): Transient | undefined {
  try {
    const reason = reasonOf(thrown, causesAtMost);
    if (reason === undefined) return undefined;
    const retryAfterMs = readRetryAfter(thrown, now);
    return { reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

function reasonOf(thrown: unknown, causesLeft: number): string | undefined {
  const { code, details, cause } = fieldsOf(thrown);
  if (thrown instanceof TransientError) return "it failed for a moment";
  if (code === rateLimited) return "it was asked too often";
  const status = statusOf(thrown) ?? statusOf(details);
  if (status !== undefined) return status === 429 ? "it was asked too often (429)" : `its service failed (${status})`;
  if (connectionCodes.has(code) && !(thrown instanceof ToolError)) return `its connection was lost (${String(code)})`;
  return causesLeft > 0 && cause !== undefined ? reasonOf(cause, causesLeft - 1) : undefined;
}

function statusOf(value: unknown): number | undefined {
  const { status, statusCode, response } = fieldsOf(value);
  const found = [status, statusCode, fieldsOf(response).status].find((one) => typeof one === "number");
  return typeof found === "number" && (found === 429 || (found >= 500 && found <= 599)) ? found : undefined;
}

const isSpan = (value: unknown): value is number => typeof value === "number" && value >= 0;

function readRetryAfter(thrown: unknown, now: number): number | undefined {
  const error = fieldsOf(thrown);
  for (const holder of [error, fieldsOf(error.details)]) if (isSpan(holder.retryAfterMs)) return holder.retryAfterMs;
  for (const { headers } of [error, fieldsOf(error.response), fieldsOf(error.details)]) {
    const read = readHeader(headerOf(headers), now);
    if (read !== undefined) return read;
  }
  return undefined;
}

function headerOf(headers: unknown): unknown {
  if (headers instanceof Headers) return headers.get("retry-after");
  const entry = Object.entries(fieldsOf(headers)).find(([name]) => name.toLowerCase() === "retry-after");
  return entry?.[1];
}

/** Seconds, or a date as in HTTP. */
function readHeader(value: unknown, now: number): number | undefined {
  if (isSpan(value)) return value * 1_000;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (isSpan(seconds)) return seconds * 1_000;
  // Of other texts some would be read as a date by accident.
  const at = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
