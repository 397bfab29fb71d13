// What every store refuses, in the same words.
import { Fault } from "../../errors.ts";

const named = (tenant: string, runId: string): string => `run "${runId}" of tenant "${tenant}"`;

export const runExists = (tenant: string, runId: string): Fault =>
  new Fault("run_exists", `${named(tenant, runId)} is in the store already`, {
    hint: "give each run an id of its own, as crypto.randomUUID() makes them",
    details: { tenant, runId },
  });

export const runNotFound = (tenant: string, runId: string): Fault =>
  new Fault("run_not_found", `there is no ${named(tenant, runId)}`, {
    hint: "check the id and the tenant; the run may have been purged",
    details: { tenant, runId },
  });

export const runClaimed = (tenant: string, runId: string, owner: string, until: number): Fault =>
  new Fault("run_claimed", `${named(tenant, runId)} is held by "${owner}" until ${new Date(until).toISOString()}`, {
    hint: "wait until it is given up, or until then",
    details: { tenant, runId, owner, until },
  });

interface Position {
  readonly epoch: number;
  readonly next: number;
}

export function fenced(tenant: string, runId: string, given: Position, found: Position & { held: boolean }): Fault {
  const why =
    given.epoch !== found.epoch
      ? `was claimed by another since: epoch ${found.epoch}, not ${given.epoch}`
      : found.held
        ? `goes on at entry ${found.next}, not ${given.next}`
        : "was given up";
  return new Fault("store_fenced", `${named(tenant, runId)} ${why}; nothing was written`, {
    hint: "stop working on this run; to go on with it, claim and load it again",
    details: { tenant, runId, epoch: found.epoch, next: found.next },
  });
}

export const notReserved = (tenant: string, requestId: string): Fault =>
  new Fault("request_not_reserved", `request "${requestId}" of tenant "${tenant}" was never reserved`, {
    hint: "reserve a request before it is sent; it may have been purged",
    details: { tenant, requestId },
  });

export function conflict(
  tenant: string,
  kind: string,
  id: string,
  expected: number | undefined,
  version?: number,
): Fault {
  const was = version === undefined ? "is not there" : `is at version ${version}`;
  const meant = expected === undefined ? "none was expected" : `version ${expected} was expected`;
  return new Fault("store_conflict", `document "${id}" (${kind}) of tenant "${tenant}" ${was}, and ${meant}`, {
    hint: "read it again, apply the change to that, and put it with its version",
    details: { tenant, kind, id, expected, version },
  });
}

export const tampered = (tenant: string, runId: string, n: number | "header", why: string): Fault =>
  new Fault("store_tampered", `${n === "header" ? "the header" : `entry ${n}`} of ${named(tenant, runId)} ${why}`, {
    hint: "the run cannot be trusted and is not resumed; restore the store from a backup, or purge the run",
    details: { tenant, runId, n },
  });

export const closed = (what = "the store"): Fault =>
  new Fault("store_closed", `${what} is closed`, { hint: "open another one" });
