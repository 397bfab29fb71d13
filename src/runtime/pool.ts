// An elastic pool of sandbox processes: spares are made ahead of demand, processes grow to `max` and shrink again, and none serves two tenants.
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import { createFairLine } from "./fair-line.ts";
import { openSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
import { stopCode, stopReason } from "./stop.ts";

export interface PoolOptions extends SandboxOptions {
  /** Spare processes that no tenant has used, kept ready. */
  readonly warm: number;
  readonly max: number;
  /** Programs of one tenant that may wait for a process. */
  readonly queue: number;
}

export interface Pool extends AsyncDisposable {
  /** Resolves once a first process is ready; rejects with `sandbox_unavailable`. */
  readonly ready: Promise<void>;
  /** Rejects with `overloaded`, `aborted`, `runtime_closed` or `sandbox_unavailable`. */
  acquire(tenant: string, signal?: AbortSignal, lineage?: readonly string[]): Promise<Sandbox>;
  /** `clean`: the program ended by itself; otherwise the process is killed. */
  release(sandbox: Sandbox, clean: boolean): void;
  /** Takes back a process that ran nothing. */
  giveBack(sandbox: Sandbox): void;
  /** Processes alive, those starting included. */
  readonly size: number;
}

interface Waiter {
  /** The programs that hold a process while they wait for this one. */
  readonly lineage: readonly string[];
  readonly take: (sandbox: Sandbox) => void;
  readonly fail: (fault: Fault) => void;
}

export function createPool(options: PoolOptions): Pool {
  const all = new Set<Sandbox>();
  const fresh: Sandbox[] = [];
  const idle = new Map<string, Sandbox[]>();
  const tenants = new Map<Sandbox, string>();
  const idleSince = new Map<Sandbox, number>();
  const line = createFairLine<Waiter>();
  let starting = 0;
  let failures = 0;
  let closed = false;
  let shrinkTimer: NodeJS.Timeout | undefined;

  async function launch(): Promise<void> {
    const sandbox = openSandbox(options);
    all.add(sandbox);
    starting += 1;
    void sandbox.exited.then(() => forget(sandbox));
    try {
      await sandbox.ready;
      failures = 0;
      starting -= 1;
      if (closed) return sandbox.kill();
      fresh.push(sandbox);
      serve();
    } catch (error) {
      starting -= 1;
      if (closed) return;
      failures += 1;
      if (failures >= bounds.failedStarts || all.size === 0) failAll(error as Fault);
      if (failures < bounds.failedStarts) serve();
      throw error;
    }
  }

  function failAll(fault: Fault): void {
    for (const [tenant, waiter] of line.inOrder()) {
      line.leave(tenant, waiter);
      waiter.fail(fault);
    }
  }

  function forget(sandbox: Sandbox): void {
    all.delete(sandbox);
    remove(fresh, sandbox);
    const tenant = tenants.get(sandbox);
    const list = tenant === undefined ? undefined : idle.get(tenant);
    if (tenant !== undefined && list !== undefined) {
      remove(list, sandbox);
      if (list.length === 0) idle.delete(tenant);
    }
    tenants.delete(sandbox);
    idleSince.delete(sandbox);
    if (!closed) serve();
  }

  /** A ready process for the tenant: one it used before, else a spare. */
  function pick(tenant: string): Sandbox | undefined {
    const list = idle.get(tenant) ?? [];
    let sandbox = list.pop() ?? fresh.shift();
    while (sandbox?.alive === false) sandbox = list.pop() ?? fresh.shift();
    if (list.length === 0) idle.delete(tenant);
    if (sandbox !== undefined) {
      idleSince.delete(sandbox);
      tenants.set(sandbox, tenant);
      line.served(tenant);
    }
    return sandbox;
  }

  /** Gives processes to those who wait, in their order; for whom there is none, one is made, or room for one. */
  function serve(): void {
    let coming = starting + dying();
    for (const [tenant, waiter] of line.inOrder()) {
      const sandbox = pick(tenant);
      if (sandbox !== undefined) {
        line.leave(tenant, waiter);
        waiter.take(sandbox);
      } else if (coming > 0) coming -= 1;
      else if (!grow() && !evictOldest()) break;
    }
    while (fresh.length + starting < options.warm && grow());
  }

  /** Processes that were killed and have not left yet. */
  function dying(): number {
    let count = 0;
    for (const sandbox of all) if (!sandbox.alive) count += 1;
    return count;
  }

  function grow(): boolean {
    if (all.size >= options.max || failures >= bounds.failedStarts) return false;
    launch().catch(() => undefined);
    return true;
  }

  /** Ends the process that is idle for longest, whosoever it was. */
  function evictOldest(): boolean {
    for (const sandbox of idleSince.keys()) {
      idleSince.delete(sandbox);
      if (!sandbox.alive) continue;
      sandbox.kill();
      return true;
    }
    return false;
  }

  function shrink(): void {
    shrinkTimer = undefined;
    const now = performance.now();
    for (const [sandbox, since] of idleSince) if (now - since >= bounds.idleMs) sandbox.kill();
    if (idleSince.size > 0) planShrink();
  }

  function planShrink(): void {
    if (shrinkTimer !== undefined) return;
    shrinkTimer = setTimeout(shrink, bounds.idleMs);
    shrinkTimer.unref();
  }

  async function recycle(sandbox: Sandbox): Promise<void> {
    const tired = sandbox.programs >= bounds.programsPerProcess || sandbox.totalCpuMs >= bounds.cpuMsPerProcess;
    if (tired || closed || !(await sandbox.renew())) return sandbox.kill();
    giveBack(sandbox);
  }

  function giveBack(sandbox: Sandbox): void {
    const tenant = tenants.get(sandbox);
    if (closed || !sandbox.alive || tenant === undefined) return sandbox.kill();
    if (sandbox.programs === 0) {
      tenants.delete(sandbox);
      fresh.push(sandbox);
    } else {
      idle.set(tenant, [...(idle.get(tenant) ?? []), sandbox]);
      idleSince.set(sandbox, performance.now());
      planShrink();
    }
    serve();
  }

  /** Whether every process is held by a program that waits, through its tools, for one that waits here: none will come free. */
  function isStuck(): boolean {
    const holders = new Set(line.inOrder().flatMap(([, waiter]) => waiter.lineage));
    return holders.size >= options.max;
  }

  function wait(tenant: string, signal: AbortSignal | undefined, lineage: readonly string[]): Promise<Sandbox> {
    if (line.sizeOf(tenant) >= options.queue) {
      return Promise.reject(
        new Fault("overloaded", `${line.sizeOf(tenant)} programs are already waiting for a sandbox process`, {
          hint: "try again later, or raise processes.max or processes.queue",
        }),
      );
    }
    if (failures >= bounds.failedStarts) failures = 0;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        line.leave(tenant, waiter);
        if (signal !== undefined) reject(new Fault(stopCode(signal), stopReason(signal)));
      };
      const waiter: Waiter = {
        lineage,
        take(sandbox) {
          signal?.removeEventListener("abort", onAbort);
          resolve(sandbox);
        },
        fail(fault) {
          signal?.removeEventListener("abort", onAbort);
          reject(fault);
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      line.add(tenant, waiter);
      serve();
      if (lineage.length > 0 && isStuck()) {
        line.leave(tenant, waiter);
        waiter.fail(stuck());
      }
    });
  }

  const first = launch();
  serve();

  return {
    ready: first,
    get size() {
      return all.size;
    },
    acquire(tenant, signal, lineage = []) {
      if (closed) return Promise.reject(new Fault("runtime_closed", "the runtime is closed"));
      if (signal?.aborted === true) return Promise.reject(new Fault(stopCode(signal), stopReason(signal)));
      const ready = line.size === 0 ? pick(tenant) : undefined;
      if (ready === undefined) return wait(tenant, signal, lineage);
      serve();
      return Promise.resolve(ready);
    },
    release(sandbox, clean) {
      if (clean && sandbox.alive) void recycle(sandbox);
      else sandbox.kill();
    },
    giveBack,
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(shrinkTimer);
      failAll(new Fault("runtime_closed", "the runtime was closed"));
      await Promise.all([...all].map((sandbox) => sandbox[Symbol.asyncDispose]()));
    },
  };
}

function remove(list: Sandbox[], sandbox: Sandbox): void {
  const at = list.indexOf(sandbox);
  if (at >= 0) list.splice(at, 1);
}

const stuck = (): Fault =>
  new Fault("overloaded", "every sandbox process is held by a program whose tool runs another program", {
    hint: "let tools run fewer programs inside each other, or raise processes.max",
  });
