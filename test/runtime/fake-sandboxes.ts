import type { PoolParts } from "../../src/runtime/pool.ts";
import type { Sandbox } from "../../src/runtime/sandbox.ts";

/** A sandbox process that is none: it starts, renews and leaves when the test says so, or at once where it is `quick`. */
export interface FakeSandbox extends Sandbox {
  programs: number;
  program: string;
  computing: boolean;
  readonly state: "starting" | "running" | "renewing" | "dying" | "gone";
  /** Goes on with what it is at: a start, a fresh isolate or its end. */
  advance(): void;
  /** What it is at fails: it dies. */
  crash(): void;
  /** Runs a program, as its taker would. */
  run(program?: string): void;
}

export interface FakeSandboxes extends Required<PoolParts> {
  /** All that were opened, in that order. */
  readonly opened: FakeSandbox[];
  /** Lets everything that was asked for take effect. */
  settle(): Promise<void>;
}

export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function fakeSandbox(quick: boolean): FakeSandbox {
  let state: FakeSandbox["state"] = "starting";
  const ready = Promise.withResolvers<never>();
  const exit = Promise.withResolvers<void>();
  let renewal: PromiseWithResolvers<boolean> | undefined;
  ready.promise.catch(() => undefined);
  void exit.promise.then(() => ready.reject(new Error("it ended before it was ready")));

  function enter(next: FakeSandbox["state"]): void {
    state = next;
    if (quick) queueMicrotask(advance);
  }

  function advance(): void {
    if (state === "starting") {
      state = "running";
      ready.resolve({ node: "", v8: "", bootstrap: "" } as never);
    } else if (state === "renewing") {
      state = "running";
      renewal?.resolve(true);
    } else if (state === "dying") {
      state = "gone";
      renewal?.resolve(false);
      exit.resolve();
    }
  }

  const kill = (): void => {
    if (state !== "gone" && state !== "dying") enter("dying");
  };
  const sandbox: FakeSandbox = {
    pid: undefined,
    ready: ready.promise,
    exited: exit.promise,
    totalCpuMs: 0,
    programs: 0,
    program: "",
    computing: false,
    get alive() {
      return state !== "dying" && state !== "gone";
    },
    get state() {
      return state;
    },
    run(program = "a program") {
      sandbox.programs += 1;
      sandbox.program = program;
    },
    start: () => undefined,
    settle: () => undefined,
    renew() {
      if (!sandbox.alive) return Promise.resolve(false);
      renewal = Promise.withResolvers<boolean>();
      sandbox.program = "";
      enter("renewing");
      return renewal.promise;
    },
    kill,
    advance,
    crash() {
      kill();
      advance();
    },
    async [Symbol.asyncDispose]() {
      kill();
      advance();
      await exit.promise;
    },
  };
  if (quick) queueMicrotask(advance);
  return sandbox;
}

/** What a pool opens in place of processes. */
export function fakeSandboxes(startsAtOnce: number, quick = false): FakeSandboxes {
  const opened: FakeSandbox[] = [];
  return {
    opened,
    startsAtOnce,
    open() {
      const sandbox = fakeSandbox(quick);
      opened.push(sandbox);
      return sandbox;
    },
    async settle() {
      await settled();
      for (const sandbox of opened) if (sandbox.state !== "running") sandbox.advance();
      await settled();
    },
  };
}
