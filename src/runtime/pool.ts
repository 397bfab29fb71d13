// An elastic pool of sandbox processes: spares are made ahead of demand, processes grow to `max` and shrink again, and none serves two tenants.
import { Fault } from "../errors.ts";
import { openSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";

export interface PoolOptions extends SandboxOptions {
  /** Spare processes that no tenant has used, kept ready. */
  readonly warm: number;
  readonly max: number;
  /** Programs that may wait for a process. */
  readonly queue: number;
}

export interface Pool extends AsyncDisposable {
  /** Resolves once a first process is ready; rejects with `sandbox_unavailable`. */
  readonly ready: Promise<void>;
  /** Rejects with `overloaded`, `aborted`, `runtime_closed` or `sandbox_unavailable`. */
  acquire(tenant: string, signal?: AbortSignal): Promise<Sandbox>;
  /** `clean`: the program ended by itself; otherwise the process is killed. */
  release(sandbox: Sandbox, clean: boolean): void;
  /** Takes back a process that ran nothing. */
  giveBack(sandbox: Sandbox): void;
  /** Processes alive, those starting included. */
  readonly size: number;
}

interface Waiter {
  readonly tenant: string;
  readonly resolve: (sandbox: Sandbox) => void;
  readonly reject: (fault: Fault) => void;
}

/** A process is replaced after this much work, so that nothing a program leaves behind adds up. */
const retirement = { programs: 1_000, cpuMs: 300_000 };
const idleMs = 15_000;
const failuresAllowed = 3;

export function createPool(options: PoolOptions): Pool {
  const all = new Set<Sandbox>();
  const fresh: Sandbox[] = [];
  const idle = new Map<string, Sandbox[]>();
  const tenants = new Map<Sandbox, string>();
  const idleSince = new Map<Sandbox, number>();
  let waiters: Waiter[] = [];
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
      if (failures >= failuresAllowed || all.size === 0) failAll(error as Fault);
      if (failures < failuresAllowed) serve();
      throw error;
    }
  }

  function failAll(fault: Fault): void {
    const failed = waiters;
    waiters = [];
    for (const waiter of failed) waiter.reject(fault);
  }

  function forget(sandbox: Sandbox): void {
    all.delete(sandbox);
    remove(fresh, sandbox);
    const tenant = tenants.get(sandbox);
    if (tenant !== undefined) {
      const list = idle.get(tenant);
      if (list !== undefined) {
        remove(list, sandbox);
        if (list.length === 0) idle.delete(tenant);
      }
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
    }
    return sandbox;
  }

  function serve(): void {
    const left: Waiter[] = [];
    for (const waiter of waiters) {
      const sandbox = pick(waiter.tenant);
      if (sandbox === undefined) left.push(waiter);
      else waiter.resolve(sandbox);
    }
    waiters = left;
    if (failures >= failuresAllowed) return;
    let wanted = waiters.length + options.warm - fresh.length - starting;
    while (wanted > 0 && all.size < options.max) {
      wanted -= 1;
      launch().catch(() => undefined);
    }
    // Only processes of other tenants idle: the one idle for longest makes room.
    if (waiters.length > starting && all.size >= options.max) evictOldest();
  }

  function evictOldest(): void {
    const [oldest] = [...idleSince].sort((a, b) => a[1] - b[1]);
    oldest?.[0].kill();
    if (oldest !== undefined) idleSince.delete(oldest[0]);
  }

  function shrink(): void {
    shrinkTimer = undefined;
    const now = performance.now();
    for (const [sandbox, since] of idleSince) if (now - since >= idleMs) sandbox.kill();
    if (idleSince.size > 0) planShrink();
  }

  function planShrink(): void {
    if (shrinkTimer !== undefined) return;
    shrinkTimer = setTimeout(shrink, idleMs);
    shrinkTimer.unref();
  }

  async function recycle(sandbox: Sandbox): Promise<void> {
    const tired = sandbox.programs >= retirement.programs || sandbox.totalCpuMs >= retirement.cpuMs;
    if (tired || closed || !(await sandbox.renew())) return sandbox.kill();
    const tenant = tenants.get(sandbox);
    if (closed || !sandbox.alive || tenant === undefined) return sandbox.kill();
    rest(sandbox, tenant);
  }

  function rest(sandbox: Sandbox, tenant: string): void {
    idle.set(tenant, [...(idle.get(tenant) ?? []), sandbox]);
    idleSince.set(sandbox, performance.now());
    planShrink();
    serve();
  }

  const first = launch();
  serve();

  return {
    ready: first,
    get size() {
      return all.size;
    },
    acquire(tenant, signal) {
      if (closed) return Promise.reject(new Fault("runtime_closed", "the runtime is closed"));
      if (signal?.aborted === true)
        return Promise.reject(new Fault("aborted", "the host's signal ended the program before it started"));
      const ready = waiters.length === 0 ? pick(tenant) : undefined;
      if (ready !== undefined) {
        serve();
        return Promise.resolve(ready);
      }
      if (waiters.length >= options.queue) {
        return Promise.reject(
          new Fault("overloaded", `${waiters.length} programs are already waiting for a sandbox process`, {
            hint: "try again later, or raise processes.max or processes.queue",
          }),
        );
      }
      if (failures >= failuresAllowed) failures = 0;
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiters = waiters.filter((other) => other !== waiter);
          reject(new Fault("aborted", "the host's signal ended the program before it started"));
        };
        const waiter: Waiter = {
          tenant,
          resolve: (sandbox) => {
            signal?.removeEventListener("abort", onAbort);
            resolve(sandbox);
          },
          reject: (fault) => {
            signal?.removeEventListener("abort", onAbort);
            reject(fault);
          },
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        waiters.push(waiter);
        serve();
      });
    },
    release(sandbox, clean) {
      if (clean && sandbox.alive) void recycle(sandbox);
      else sandbox.kill();
    },
    giveBack(sandbox) {
      const tenant = tenants.get(sandbox);
      if (closed || !sandbox.alive || tenant === undefined) sandbox.kill();
      else rest(sandbox, tenant);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(shrinkTimer);
      failAll(new Fault("runtime_closed", "the runtime was closed while the program waited"));
      await Promise.all([...all].map((sandbox) => sandbox[Symbol.asyncDispose]()));
    },
  };
}

function remove(list: Sandbox[], sandbox: Sandbox): void {
  const at = list.indexOf(sandbox);
  if (at >= 0) list.splice(at, 1);
}
