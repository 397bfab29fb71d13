// What is too large or no text to travel as a value is kept by its session, and a reference travels. An id is random and is
// looked up among those of its session alone: one that was made up, or belongs to another session, is unknown like any other.
import { createHash, randomBytes } from "node:crypto";
import { ToolError } from "../errors.ts";
import { type JsonValue, parseJson } from "../json.ts";
import { bounds } from "../limits.ts";

/** Stands for what is kept; `type` is its media type, `hash` `sha256-` and hexadecimal digits. */
export interface Reference {
  readonly ref: string;
  readonly type: string;
  readonly bytes: number;
  readonly hash: string;
}

/** Hears of what is kept and what has to give way; must not throw. */
export interface ReferenceKeeper {
  kept(entry: Kept): void;
  dropped(ref: string): void;
}

export interface References {
  /** Keeps JSON as text, everything else as bytes; throws `reference_too_large` for more than a session may keep. */
  keep(type: string, data: string | Uint8Array): Reference;
  /** Throws `reference_unknown`, or `reference_expired` for one that had to give way to later ones. */
  find(ref: string): Kept;
  /** Knows again what was kept under this ref in another process. */
  restore(ref: string, type: string, data: string | Uint8Array): void;
}

export interface Kept {
  readonly reference: Reference;
  readonly data: string | Uint8Array;
  /** A value where it holds JSON, text where its type is text, its bytes otherwise. */
  value(): JsonValue | Uint8Array;
}

/** Leads from what a running tool is given to the references of its session: for the tools that codecall provides. */
export const referencesKey: unique symbol = Symbol("references");
export interface WithReferences {
  readonly [referencesKey]: References;
}

export const jsonType = "application/json";

/** How a program reads what a reference stands for. */
export const readingText = ({ ref }: Pick<Reference, "ref">): string =>
  `results.get(${JSON.stringify(ref)}, { path, offset, limit })`;

const digits = 16;
const refChars = 100;

export function createReferences(
  most: { readonly count: number; readonly bytes: number } = keptAtMost,
  keeper?: ReferenceKeeper,
): References {
  const kept = new Map<string, Kept>();
  const expired = new Set<string>();
  let bytes = 0;
  /** Only the last value that was read stays parsed: pages are read one after another. */
  let parsed: { readonly ref: string; readonly value: JsonValue | Uint8Array } | undefined;

  function drop(ref: string, { reference }: Kept): void {
    kept.delete(ref);
    bytes -= reference.bytes;
    expired.add(ref);
    if (parsed?.ref === ref) parsed = undefined;
    keeper?.dropped(ref);
    const [oldest] = expired;
    if (expired.size > bounds.expiredReferences && oldest !== undefined) expired.delete(oldest);
  }

  const sizeOf = (data: string | Uint8Array): number =>
    typeof data === "string" ? Buffer.byteLength(data) : data.length;

  function enter(ref: string, type: string, data: string | Uint8Array): Kept {
    const size = sizeOf(data);
    for (const [other, entry] of kept) {
      if (kept.size < most.count && bytes + size <= most.bytes) break;
      drop(other, entry);
    }
    const hash = `sha256-${createHash("sha256").update(data).digest("hex")}`;
    const reference = Object.freeze({ ref, type, bytes: size, hash });
    const entry: Kept = {
      reference,
      data,
      value() {
        if (parsed?.ref !== ref) parsed = { ref, value: valueOf(type, data) };
        return parsed.value;
      },
    };
    bytes += size;
    kept.set(ref, entry);
    return entry;
  }

  return {
    restore(ref, type, data) {
      if (!kept.has(ref)) enter(ref, type, data);
    },
    keep(type, data) {
      const size = sizeOf(data);
      if (size > most.bytes) {
        const message = `what is to be kept has ${size} bytes; a session keeps ${most.bytes} at most`;
        throw new ToolError(message, { code: "reference_too_large" });
      }
      const entry = enter(`ref_${randomBytes(digits).toString("base64url")}`, type, data);
      keeper?.kept(entry);
      return entry.reference;
    },
    find(ref) {
      const entry = kept.get(ref);
      if (entry !== undefined) return entry;
      const shown = JSON.stringify(ref.slice(0, refChars));
      if (!expired.has(ref)) {
        throw new ToolError(`this session has no reference ${shown}`, {
          code: "reference_unknown",
          hint: "take the ref from a result of this conversation, as it is",
        });
      }
      throw new ToolError(`what ${shown} stood for is not kept any more`, {
        code: "reference_expired",
        hint: "get it again from where it came from",
      });
    },
  };
}

const keptAtMost = { count: bounds.references, bytes: bounds.referencesBytes };

const isJson = (type: string): boolean => /^application\/(?:[\w.-]+\+)?json\b/i.test(type);
const isText = (type: string): boolean => /^text\//i.test(type);

function valueOf(type: string, data: string | Uint8Array): JsonValue | Uint8Array {
  if (typeof data !== "string" && !isJson(type) && !isText(type)) return data;
  const text = typeof data === "string" ? data : new TextDecoder().decode(data);
  if (!isJson(type)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
