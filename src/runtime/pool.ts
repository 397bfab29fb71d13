// An elastic pool of sandbox processes: spares are made ahead of demand, processes grow to `max` and shrink again, none
// serves two tenants, and where there are too few, programs that only wait are parked.
import { availableParallelism } from "node:os";
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import { createDemand } from "./demand.ts";
import { openSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
import {
  countOf,
  isComing,
  isReplaced,
  isSpare,
  isStarting,
  isUnused,
  leastUseful,
  readyFor,
  renewingFor,
  shares,
  type Slot,
  toPark,
} from "./slots.ts";
import { stopCode, stopReason } from "./stop.ts";
import { type AcquireOptions, createWaiters, type Waiter } from "./waiters.ts";

export interface PoolOptions extends SandboxOptions {
  /** Spare processes that no tenant has used, kept ready. */
  readonly warm: number;
  readonly max: number;
  /** Programs of one tenant that may wait for a process. */
  readonly queue: number;
}

export interface PoolParts {
  readonly open?: (options: SandboxOptions) => Sandbox;
  /** Processes that start at the same time at most: more make each of them, and the host, slow. */
  readonly startsAtOnce?: number;
}

export interface Pool extends AsyncDisposable {
  /** Resolves once a first process is ready; rejects with `sandbox_unavailable`. */
  readonly ready: Promise<void>;
  /**
   * `lineage`: the programs that wait for this one. Rejects with `overloaded`, `aborted`, `runtime_closed` or
   * `sandbox_unavailable`.
   */
  acquire(
    tenant: string,
    signal?: AbortSignal,
    lineage?: readonly string[],
    options?: AcquireOptions,
  ): Promise<Sandbox>;
  /** `clean`: the program ended by itself or was parked; otherwise the process is killed. */
  release(sandbox: Sandbox, clean: boolean): void;
  /**
   * The program in this process now only waits, for calls or timers, and could give the process up. `park` is called at
   * most once, never from within this call, when somebody else needs the process; the program then releases it as clean
   * and acquires one again, as `resumed`, once it has to compute.
   */
  waiting(sandbox: Sandbox, park: () => void): void;
  /** The program in this process computes again (harmless where it did not wait): `park` is not called any more. */
  working(sandbox: Sandbox): void;
  /** Takes back a process that ran nothing. */
  giveBack(sandbox: Sandbox): void;
  /** Processes alive, those starting included. */
  readonly size: number;
}

export function createPool(
  options: PoolOptions,
  { open = openSandbox, startsAtOnce = availableParallelism() }: PoolParts = {},
): Pool {
  const slots = new Map<Sandbox, Slot>();
  const { line, nested, ...waiters } = createWaiters(options.queue);
  const demand = createDemand(options.max);
  let failures = 0;
  let closed = false;
  let shrinkTimer: NodeJS.Timeout | undefined;
  let spareTimer: NodeJS.Timeout | undefined;
  let parkTimer: NodeJS.Timeout | undefined;

  const count = (holds: (slot: Slot) => boolean): number => countOf(slots, holds);

  async function launch(): Promise<void> {
    const sandbox = open(options);
    const slot: Slot = { sandbox, state: "starting", tenant: undefined, since: performance.now(), park: undefined };
    slots.set(sandbox, slot);
    void sandbox.exited.then(() => forget(sandbox));
    try {
      await sandbox.ready;
      failures = 0;
      if (closed) return sandbox.kill();
      enter(slot, "spare");
      serve();
      planShrink();
    } catch (error) {
      if (closed) return;
      failures += 1;
      // One that was ended while it started says nothing of the next.
      if (failures >= bounds.failedStarts) failAll(error as Fault);
      else serve();
      throw error;
    }
  }

  function enter(slot: Slot, state: Slot["state"], park?: () => void): void {
    slot.state = state;
    slot.since = performance.now();
    slot.park = park;
  }

  function forget(sandbox: Sandbox): void {
    slots.delete(sandbox);
    serve();
  }

  function failAll(fault: Fault): void {
    for (const [, waiter] of line.first(line.size)) waiters.refuse(waiter, fault);
  }

  function take(slot: Slot, tenant: string): Sandbox {
    demand.took(tenant, slot.state === "spare");
    line.served(tenant);
    slot.tenant = tenant;
    enter(slot, "busy");
    return slot.sandbox;
  }

  function hand(slot: Slot, waiter: Waiter): void {
    waiters.leave(waiter);
    waiter.take(take(slot, waiter.tenant));
  }

  /** Gives processes to those who wait; where there are too few, programs are parked, and where nobody waits, spares are made. */
  function serve(): void {
    if (closed) return;
    const unserved = line.size === 0 ? [] : serveLine();
    if (unserved.length > 0) parkFor(unserved);
    else if (missingSpares() > 0) planSpares();
  }

  /** Serves the line in its order; for whom there is no process, one is made, or room for one. Returns the tenants of those for whom none is on its way. */
  function serveLine(): readonly string[] {
    const unserved: string[] = [];
    const promised = new Set<Slot>();
    const yields = yielding();
    let coming = count(isComing);
    for (const [tenant, waiter] of line.first(options.max)) {
      const ready = readyFor(slots, tenant);
      const renewing = ready ?? renewingFor(slots, tenant, promised);
      if (ready !== undefined) hand(ready, waiter);
      else if (renewing !== undefined) promised.add(renewing);
      else if (coming > 0) coming -= 1;
      else if (!grow(atOnce(tenant)) && !evict((slot) => !promised.has(slot) && yields(slot, tenant)))
        unserved.push(tenant);
    }
    // What is still idle is of use to its own tenant only, however far behind that stands.
    for (const slot of slots.values()) {
      const waiter = slot.sandbox.alive && slot.state === "idle" ? line.next(slot.tenant ?? "") : undefined;
      if (waiter !== undefined) hand(slot, waiter);
    }
    return unserved;
  }

  /** Processes that may start at the same time for a tenant: one where a program of its own can be parked, which takes a tenth of the time. */
  function atOnce(tenant: string): number {
    return toPark(slots, tenant, performance.now() - bounds.parkAfterMs, () => false) === undefined ? startsAtOnce : 1;
  }

  function grow(most = startsAtOnce): boolean {
    if (slots.size >= options.max || failures >= bounds.failedStarts || count(isStarting) >= most) return false;
    launch().catch(() => undefined);
    return true;
  }

  /** Whether a process may go to another tenant: not where programs of its own wait for it, unless the other has less by more than one, or nothing. */
  function yielding(): (slot: Slot, to: string) => boolean {
    const has = shares(slots);
    return ({ tenant = "" }, to) => {
      const others = has.get(to) ?? 0;
      return others === 0 || line.sizeOf(tenant) === 0 || (has.get(tenant) ?? 0) > others + 1;
    };
  }

  /** Ends an unused process to make room for another; no more at a time than can start at a time. */
  function evict(yields: (slot: Slot) => boolean): boolean {
    const isFull = slots.size >= options.max && count(isReplaced) < startsAtOnce;
    const slot = isFull && failures < bounds.failedStarts ? leastUseful(slots, yields) : undefined;
    slot?.sandbox.kill();
    return slot !== undefined;
  }

  /** Parks a program for each of these: one of the same tenant, whose process serves at once, else any where no process can be had otherwise. */
  function parkFor(tenants: readonly string[]): void {
    const before = performance.now() - bounds.parkAfterMs;
    const yields = yielding();
    const parks: (() => void)[] = [];
    for (const tenant of tenants) {
      const isLast = slots.size >= options.max && count(isUnused) === 0 && count(isComing) < startsAtOnce;
      const slot = toPark(slots, tenant, before, (other) => isLast && yields(other, tenant));
      if (slot?.park === undefined) continue;
      parks.push(slot.park);
      enter(slot, "parking");
    }
    planParking();
    for (const park of parks) park();
  }

  /** While somebody waits in vain: looks again when the next program may be parked, and for those that wait for each other. */
  function planParking(): void {
    const now = performance.now();
    let ms = nested.size > 0 ? bounds.parkAfterMs : Number.POSITIVE_INFINITY;
    for (const { state, since } of slots.values()) {
      const left = since + bounds.parkAfterMs - now;
      if (state === "waiting" && left > 0) ms = Math.min(ms, left);
    }
    if (parkTimer !== undefined || ms === Number.POSITIVE_INFINITY) return;
    parkTimer = setTimeout(() => {
      parkTimer = undefined;
      refuseStuck();
      serve();
    }, Math.ceil(ms));
    parkTimer.unref();
  }

  /** Where every process is held by a program that waits for one in the line and cannot be parked, none will come free: the newest is refused. */
  function refuseStuck(): void {
    const holders = new Set([...nested].flatMap(({ lineage }) => lineage));
    const newest = [...nested].at(-1);
    const held = count(
      ({ sandbox, state }) => sandbox.alive && state === "busy" && !sandbox.computing && holders.has(sandbox.program),
    );
    if (newest !== undefined && held >= options.max) waiters.refuse(newest, stuck());
  }

  /** How many spares are to be made, given what is there and on its way. */
  function missingSpares(): number {
    const wanted = slots.size < options.max ? Math.max(options.warm, demand.newcomers) : demand.crowd;
    return wanted - (count(isSpare) + count(isReplaced) - line.size);
  }

  /** Not at once: the program that took the last one goes first. */
  function planSpares(): void {
    spareTimer ??= setTimeout(() => {
      spareTimer = undefined;
      makeSpares();
    }, bounds.spareDelayMs).unref();
  }

  function makeSpares(): void {
    let more = !closed;
    while (more && missingSpares() > 0) more = grow() || (line.size === 0 && evict(() => true));
  }

  /** Ends what was idle for long, and spares that nobody came for; runs only while there are some. */
  function shrink(): void {
    shrinkTimer = undefined;
    const old = performance.now() - bounds.idleMs;
    let excess = count(isSpare) - Math.max(options.warm, demand.newcomers);
    for (const { sandbox, state, since } of slots.values()) {
      if (!sandbox.alive || since > old) continue;
      if (state === "idle" || (state === "spare" && excess > 0)) sandbox.kill();
      if (state === "spare") excess -= 1;
    }
    planShrink();
  }

  function planShrink(): void {
    if (count(isSpare) <= options.warm && count(isUnused) === 0) return;
    shrinkTimer ??= setTimeout(shrink, bounds.idleMs).unref();
  }

  async function recycle(slot: Slot): Promise<void> {
    const { sandbox } = slot;
    const isTired = sandbox.programs >= bounds.programsPerProcess || sandbox.totalCpuMs >= bounds.cpuMsPerProcess;
    if (closed || isTired) return sandbox.kill();
    enter(slot, "renewing");
    // Where the next in the line is another tenant, it ends before it is renewed.
    serve();
    if (!(await sandbox.renew())) return sandbox.kill();
    giveBack(sandbox);
  }

  function giveBack(sandbox: Sandbox): void {
    const slot = slots.get(sandbox);
    if (closed || slot === undefined || !sandbox.alive) return sandbox.kill();
    enter(slot, sandbox.programs === 0 ? "spare" : "idle");
    serve();
    planShrink();
  }

  // The others come once this one is ready: whoever waits for it has the processors until then.
  const first = launch();

  return {
    ready: first,
    get size() {
      return slots.size;
    },
    acquire(tenant, signal, lineage = [], how = {}) {
      if (closed) return Promise.reject(new Fault("runtime_closed", "the runtime is closed"));
      if (signal?.aborted === true) return Promise.reject(new Fault(stopCode(signal), stopReason(signal)));
      if (lineage.length >= bounds.nestedPrograms) return Promise.reject(tooDeep());
      const ready = line.size === 0 ? readyFor(slots, tenant) : undefined;
      if (ready === undefined && failures >= bounds.failedStarts) failures = 0;
      const sandbox =
        ready === undefined ? waiters.join(tenant, signal, lineage, how) : Promise.resolve(take(ready, tenant));
      serve();
      return sandbox;
    },
    release(sandbox, clean) {
      const slot = slots.get(sandbox);
      if (clean && slot !== undefined && sandbox.alive) void recycle(slot);
      else sandbox.kill();
    },
    giveBack,
    waiting(sandbox, park) {
      const slot = slots.get(sandbox);
      if (slot?.state !== "busy") return;
      enter(slot, "waiting", park);
      if (line.size > 0) planParking();
    },
    working(sandbox) {
      const slot = slots.get(sandbox);
      if (slot?.state === "waiting" || slot?.state === "parking") enter(slot, "busy");
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      for (const timer of [shrinkTimer, spareTimer, parkTimer]) clearTimeout(timer);
      failAll(new Fault("runtime_closed", "the runtime was closed"));
      await Promise.all([...slots.keys()].map((sandbox) => sandbox[Symbol.asyncDispose]()));
    },
  };
}

const tooDeep = (): Fault =>
  new Fault("overloaded", `no more than ${bounds.nestedPrograms} programs may run inside each other's tools`, {
    hint: "let tools run fewer programs inside each other",
  });

const stuck = (): Fault =>
  new Fault("overloaded", "every sandbox process is held by a program whose tool runs another program", {
    hint: "let tools run fewer programs inside each other, or raise processes.max",
  });
