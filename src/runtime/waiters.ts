// Who waits for a sandbox process: the bounds of the line, aborts, and those whom other programs wait for.
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import { createFairLine, type FairLine } from "./fair-line.ts";
import type { Sandbox } from "./sandbox.ts";
import { stopCode, stopReason } from "./stop.ts";

export interface AcquireOptions {
  /** The program was parked: it stands at the front of its tenant's line, and no bound of the queue refuses it. */
  readonly resumed?: boolean;
}

export interface Waiter {
  readonly tenant: string;
  /** The programs that wait for this one. */
  readonly lineage: readonly string[];
  readonly take: (sandbox: Sandbox) => void;
  readonly fail: (fault: Fault) => void;
}

export interface Waiters {
  readonly line: FairLine<Waiter>;
  /** Those that programs wait for, the newest last. */
  readonly nested: ReadonlySet<Waiter>;
  /** Rejects with `overloaded`, or with what `signal` says. */
  join(
    tenant: string,
    signal: AbortSignal | undefined,
    lineage: readonly string[],
    options: AcquireOptions,
  ): Promise<Sandbox>;
  leave(waiter: Waiter): void;
  refuse(waiter: Waiter, fault: Fault): void;
}

/** `queue`: programs of one tenant that may wait. */
export function createWaiters(queue: number): Waiters {
  const line = createFairLine<Waiter>();
  const nested = new Set<Waiter>();
  const most = Math.max(bounds.queuedPrograms, queue);

  function leave(waiter: Waiter): void {
    line.leave(waiter.tenant, waiter);
    nested.delete(waiter);
  }

  function refuse(waiter: Waiter, fault: Fault): void {
    leave(waiter);
    waiter.fail(fault);
  }

  /** Why there is no room in the line. Where all of it is taken, the tenant that has most in it yields to one that has less. */
  function refusal(tenant: string): Fault | undefined {
    const own = line.sizeOf(tenant);
    if (own >= queue) return overloaded(own);
    if (line.size < most) return undefined;
    const longest = line.longest();
    if (longest?.last === undefined || longest.size <= own + 1) return overloaded(line.size);
    refuse(longest.last, overloaded(line.size));
    return undefined;
  }

  return {
    line,
    nested,
    leave,
    refuse,
    join(tenant, signal, lineage, { resumed = false }) {
      const fault = resumed ? undefined : refusal(tenant);
      if (fault !== undefined) return Promise.reject(fault);
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          leave(waiter);
          if (signal !== undefined) reject(new Fault(stopCode(signal), stopReason(signal)));
        };
        const waiter: Waiter = {
          tenant,
          lineage,
          take(sandbox) {
            signal?.removeEventListener("abort", onAbort);
            resolve(sandbox);
          },
          fail(reason) {
            signal?.removeEventListener("abort", onAbort);
            reject(reason);
          },
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        line.add(tenant, waiter, resumed);
        if (lineage.length > 0) nested.add(waiter);
      });
    },
  };
}

const overloaded = (waiting: number): Fault =>
  new Fault("overloaded", `${waiting} programs are already waiting for a sandbox process`, {
    hint: "try again later, or raise processes.max or processes.queue",
  });
