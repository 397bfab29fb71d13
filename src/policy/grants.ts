// The grants of one session: only ever added to, each with how it came about and what became of it. What is kept is a list of
// events, from which the same book can be made again.
import { randomUUID } from "node:crypto";
import { isWithin } from "./real-path.ts";

/** The tool that a grant is for, by its identity: where it comes from, and its name there. */
export interface ToolIdentity {
  readonly source: string;
  readonly name: string;
}

export interface GrantTerms {
  readonly capability: string;
  /** A real path: the grant covers it and what is below. Without one it covers every path. */
  readonly path?: string;
  /** Without one it covers every tool. */
  readonly tool?: ToolIdentity;
  /** `once` lets one call through. */
  readonly scope: "once" | "session";
  /** Who granted it. */
  readonly by: string;
  readonly reason?: string;
  /** The call that asked for it. */
  readonly callId?: string;
}

export interface Grant extends GrantTerms {
  readonly id: string;
  /** ms since 1970. */
  readonly at: number;
  readonly status: "open" | "used" | "revoked";
  /** The call that used it up. */
  readonly usedBy?: string;
}

export type GrantEvent =
  | { readonly kind: "granted"; readonly id: string; readonly at: number; readonly terms: GrantTerms }
  | { readonly kind: "used"; readonly id: string; readonly at: number; readonly callId: string }
  | { readonly kind: "revoked"; readonly id: string; readonly at: number };

/** A call that needs a capability. */
export interface Need {
  readonly callId: string;
  readonly tool: ToolIdentity;
  readonly capability: string;
  readonly path?: string | undefined;
}

export interface GrantBook {
  add(terms: GrantTerms): Grant;
  /** False where there is no such grant, or none in force. */
  revoke(id: string): boolean;
  list(): readonly Grant[];
  /** The grant that covers the need; one for a single call is kept for this call from now on. */
  find(need: Need): Grant | undefined;
  /** Whether the grant still lets this call through. */
  holds(id: string, callId: string): boolean;
  /** The call runs: what it relied on for once is used up. */
  use(callId: string): void;
  /** The call has ended: what is kept for it and was not used is free again. */
  release(callId: string): void;
  /** All that happened, in order. */
  events(): readonly GrantEvent[];
  /** Takes in what another book of the same session tells: where both tell of one thing, the other one stands. */
  absorb(theirs: readonly GrantEvent[]): void;
}

type Entry = { -readonly [key in keyof Grant]: Grant[key] };

/** An empty book, or the one that these events tell of. */
export function createGrantBook(told: readonly GrantEvent[] = []): GrantBook {
  let events: GrantEvent[] = [];
  const entries = new Map<string, Entry>();
  const keptFor = new Map<string, string>();

  function apply(event: GrantEvent): void {
    events.push(event);
    if (event.kind === "granted") {
      entries.set(event.id, { ...event.terms, id: event.id, at: event.at, status: "open" });
      return;
    }
    const entry = entries.get(event.id);
    if (entry === undefined) return;
    entry.status = event.kind;
    if (event.kind === "used") entry.usedBy = event.callId;
  }
  for (const event of told) apply(event);

  const isFree = ({ id, scope }: Entry, callId: string): boolean =>
    scope === "session" || (keptFor.get(id) ?? callId) === callId;

  return {
    add(terms) {
      const id = `grant_${randomUUID().replaceAll("-", "")}`;
      apply({ kind: "granted", id, at: Date.now(), terms });
      return Object.freeze({ ...(entries.get(id) as Entry) });
    },
    revoke(id) {
      if (entries.get(id)?.status !== "open") return false;
      apply({ kind: "revoked", id, at: Date.now() });
      return true;
    },
    list: () => [...entries.values()].map((entry) => Object.freeze({ ...entry })),
    find(need) {
      const fitting = [...entries.values()].filter((entry) => covers(entry, need) && isFree(entry, need.callId));
      // What lasts is used before what a single call uses up.
      const found = fitting.find(({ scope }) => scope === "session") ?? fitting[0];
      if (found?.scope === "once") keptFor.set(found.id, need.callId);
      return found;
    },
    holds(id, callId) {
      const entry = entries.get(id);
      if (entry?.status === "used") return entry.usedBy === callId;
      return entry?.status === "open" && isFree(entry, callId);
    },
    use(callId) {
      for (const [id, keeper] of keptFor) {
        if (keeper === callId && entries.get(id)?.status === "open")
          apply({ kind: "used", id, at: Date.now(), callId });
      }
    },
    release(callId) {
      for (const [id, keeper] of keptFor) if (keeper === callId) keptFor.delete(id);
    },
    events: () => [...events],
    absorb(theirs) {
      const known = new Set(theirs.map(keyOf));
      const all = [...theirs, ...events.filter((event) => !known.has(keyOf(event)))];
      events = [];
      entries.clear();
      for (const event of all) apply(event);
    },
  };
}

const keyOf = ({ kind, id }: GrantEvent): string => `${kind} ${id}`;

function covers(grant: Entry, { capability, path, tool }: Need): boolean {
  if (grant.status !== "open" || grant.capability !== capability) return false;
  if (grant.tool !== undefined && (grant.tool.source !== tool.source || grant.tool.name !== tool.name)) return false;
  return grant.path === undefined || (path !== undefined && isWithin(grant.path, path));
}
