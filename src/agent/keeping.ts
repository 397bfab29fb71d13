// What one session keeps of its programs: `state`, and what references stand for. A session that ends with its only run keeps
// nothing for later ones.
import { jsonType, type References } from "../bridge/references.ts";
import { messageOf, ToolError } from "../errors.ts";
import { type JsonObject, parseJson } from "../json.ts";
import { deepFreeze } from "../bridge/freeze.ts";
import type { Keeping } from "../runtime/keeping.ts";
import type { SessionState } from "./session-state.ts";

export interface SessionKeeping extends Keeping {
  readonly references: References;
  /** `state` as it is now, frozen. */
  readonly value: JsonObject;
}

/** `saved` is asked whenever a program has left something. */
export function createKeeping(
  state: SessionState,
  references: References,
  isAnonymous: boolean,
  saved: () => Promise<void> | undefined,
): SessionKeeping {
  let read: { readonly of: string; readonly value: JsonObject } | undefined;
  return {
    references,
    state: () => state.text(),
    leave(before, after) {
      const told = state.merge(before, after);
      return (
        saved()?.then(
          () => told,
          (error: unknown) => [
            ...told,
            `what the program left in \`state\` could not be written down: ${messageOf(error)}`,
          ],
        ) ?? told
      );
    },
    refer(json) {
      if (isAnonymous) return undefined;
      try {
        return references.keep(jsonType, json);
      } catch (error) {
        if (error instanceof ToolError) return undefined;
        throw error;
      }
    },
    get value() {
      const of = state.text();
      if (read?.of !== of) {
        const value = parseJson(of) as JsonObject;
        void deepFreeze(value);
        read = { of, value };
      }
      return read.value;
    },
  };
}

/** What a reference of the session stands for, as bytes; throws `reference_unknown` or `reference_expired`. */
export function readBytes(references: References, ref: string): { readonly type: string; readonly bytes: Uint8Array } {
  const { reference, data } = references.find(ref);
  return {
    type: reference.type,
    bytes: typeof data === "string" ? new TextEncoder().encode(data) : Uint8Array.from(data),
  };
}
