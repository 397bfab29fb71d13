// What a session is worth keeping beyond its process, in one document: it is read when the session opens and written, by
// compare-and-set, before anything is told that depends on it. Two processes may have the session open at once: whoever writes
// second takes in first what the other wrote.
import type { Store } from "../bridge/stores/store.ts";
import { Fault } from "../errors.ts";
import { isObject } from "../is-object.ts";
import { parseJson } from "../json.ts";
import type { KeptReferences } from "./kept-references.ts";

export interface SessionKeeper {
  /** Resolves once all changes so far are durable; `undefined` where they are. Rejects with what the store rejects with. */
  saved(): Promise<void> | undefined;
  /** Takes in what other processes wrote. */
  refresh(): Promise<void>;
}

/** A part of the document: what of a session it holds, and how it takes in what another process wrote. */
export interface KeptPart {
  /** `undefined` where there is nothing worth keeping. */
  read(): unknown;
  /** `before`: what this process had last written or read of it. Ignores what is none. */
  absorb(theirs: unknown, before: unknown): void;
}

const kind = "session";
/** How often a write may be beaten by others. */
const tries = 20;

/** Where nothing outlives the process. */
export const keepNothing: SessionKeeper = { saved: () => undefined, refresh: async () => undefined };

/** Rejects with what the store rejects with, and with `store_corrupt` for a document that is none. */
export async function openKeeper(
  store: Store,
  { tenant, session }: { readonly tenant: string; readonly session: string },
  parts: Readonly<Record<string, KeptPart>>,
  references: KeptReferences,
): Promise<SessionKeeper> {
  let version: number | undefined;
  let known: Readonly<Record<string, unknown>> = {};
  let written = "{}";
  let writing: Promise<void> | undefined;

  const snapshot = (): string => {
    const fields = Object.entries(parts).flatMap(([name, part]) => {
      const value = part.read();
      return value === undefined ? [] : [[name, value] as const];
    });
    return JSON.stringify(Object.fromEntries(fields));
  };

  async function refresh(): Promise<void> {
    const document = await store.get(tenant, kind, session);
    if (document !== undefined && document.version === version) return;
    ({ version } = document ?? { version: undefined });
    if (document === undefined) {
      written = "{}";
      return;
    }
    const theirs: unknown = readDocument(document.body);
    if (!isObject(theirs)) {
      throw new Fault("store_corrupt", `what is kept of session "${session}" is none that a session wrote`, {
        hint: "purge the session, or restore the store from a backup",
        details: { tenant, session },
      });
    }
    for (const [name, part] of Object.entries(parts)) part.absorb(theirs[name], known[name]);
    known = theirs;
    written = document.body;
  }

  async function write(): Promise<void> {
    if (references.isWaiting) await references.save();
    for (let tried = 1; ; tried += 1) {
      const body = snapshot();
      if (body === written) return;
      try {
        version = await store.put(tenant, kind, session, body, version, { session, at: Date.now() });
        written = body;
        known = parseJson(body) as Readonly<Record<string, unknown>>;
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== "store_conflict" || tried >= tries) throw error;
        await refresh();
      }
    }
  }

  function saved(): Promise<void> | undefined {
    if (writing !== undefined) {
      // It may have begun before the latest change.
      return writing.catch(() => undefined).then(() => saved());
    }
    if (!references.isWaiting && snapshot() === written) return undefined;
    writing = write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  await refresh();
  return { saved, refresh };
}

function readDocument(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
