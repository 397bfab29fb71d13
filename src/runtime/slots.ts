// The processes of a pool, each in a slot, and which of them is to be used, ended or parked next. Nothing here changes a slot.
import type { Sandbox } from "./sandbox.ts";

export interface Slot {
  readonly sandbox: Sandbox;
  /** `waiting`: its program only waits; `parking`: it was asked to give the process up; `renewing`: it makes a fresh isolate. */
  state: "starting" | "spare" | "busy" | "waiting" | "parking" | "renewing" | "idle";
  /** Who used it; none other may. */
  tenant: string | undefined;
  /** When it came into this state. */
  since: number;
  /** Asks the program that waits in it to give the process up. */
  park: (() => void) | undefined;
}

type Slots = ReadonlyMap<Sandbox, Slot>;

export function countOf(slots: Slots, holds: (slot: Slot) => boolean): number {
  let count = 0;
  for (const slot of slots.values()) if (holds(slot)) count += 1;
  return count;
}

export const isStarting = ({ sandbox, state }: Slot): boolean => sandbox.alive && state === "starting";
export const isSpare = ({ sandbox, state }: Slot): boolean => sandbox.alive && state === "spare";
/** Whether a process that nobody used is on its way: one that starts, or the room of one that was ended. */
export const isReplaced = ({ sandbox, state }: Slot): boolean => !sandbox.alive || state === "starting";
/** Whether it will come free without anybody's doing. */
export const isComing = (slot: Slot): boolean => isReplaced(slot) || slot.state === "parking";
/** Whether a tenant has it that runs no program in it. */
export const isUnused = ({ sandbox, state }: Slot): boolean =>
  sandbox.alive && (state === "idle" || state === "renewing");

function best(slots: Slots, rank: (slot: Slot) => number | undefined): Slot | undefined {
  let found: Slot | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const slot of slots.values()) {
    const value = rank(slot);
    if (value === undefined || value <= highest) continue;
    found = slot;
    highest = value;
  }
  return found;
}

/** A ready process for the tenant: the one it used last, so that the others grow old, else the oldest spare. */
export const readyFor = (slots: Slots, tenant: string): Slot | undefined =>
  best(slots, ({ sandbox, state, tenant: owner, since }) =>
    sandbox.alive && state === "idle" && owner === tenant ? since : undefined,
  ) ?? best(slots, (slot) => (isSpare(slot) ? -slot.since : undefined));

/** A process that is about to be ready for its tenant again. */
export function renewingFor(slots: Slots, tenant: string, promised: ReadonlySet<Slot>): Slot | undefined {
  for (const slot of slots.values()) {
    const isIts = slot.sandbox.alive && slot.state === "renewing" && slot.tenant === tenant;
    if (isIts && !promised.has(slot)) return slot;
  }
  return undefined;
}

/** Uses after which a process counts as no more likely to be used again. */
const usesThatCount = 8;

/** How many processes each tenant has. */
export function shares(slots: Slots): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { sandbox, state, tenant } of slots.values()) {
    if (tenant === undefined || state === "spare" || !sandbox.alive) continue;
    counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  }
  return counts;
}

/** The unused process to end first, of those that `yields` lets go: idle for longest, where one that its tenant came back to counts as idle for shorter. */
export function leastUseful(slots: Slots, yields: (slot: Slot) => boolean): Slot | undefined {
  const now = performance.now();
  const rank = ({ sandbox, since }: Slot): number =>
    (now - since) / Math.min(Math.max(1, sandbox.programs), usesThatCount);
  return best(slots, (slot) => (isUnused(slot) && yields(slot) ? rank(slot) : undefined));
}

/** The program to park so that the tenant gets a process: its own, which costs no new process, else of those that `yields` lets go; of these that which waits for longest. */
export function toPark(
  slots: Slots,
  tenant: string,
  before: number,
  yields: (slot: Slot) => boolean,
): Slot | undefined {
  const longest = (mayBe: (slot: Slot) => boolean): Slot | undefined =>
    best(slots, (slot) => {
      const canBe = slot.sandbox.alive && slot.state === "waiting" && slot.since <= before;
      return canBe && mayBe(slot) ? -slot.since : undefined;
    });
  return longest((slot) => slot.tenant === tenant) ?? longest(yields);
}
