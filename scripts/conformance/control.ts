// The same test on the bare engine: what fails there is not of codecall's making. It runs in a process of its own, which a
// test may hang or end.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Assembled } from "./assemble.ts";

/** How a test is given to the engine: as a strict script, as tests are meant, or as the body of a strict async function. */
export type ControlForm = "script" | "function";

export interface Control extends Disposable {
  /** Whether the engine itself passes the test; with `negativeType`, whether it ends in an error of that name. */
  passes(test: Assembled, form: ControlForm, negativeType?: string): Promise<boolean>;
}

export interface ControlRequest {
  readonly source: string;
  readonly negativeType?: string;
}

/** More than the process itself gives a test. */
const deadlineMs = 20_000;
const script = fileURLToPath(new URL("./control-process.ts", import.meta.url));

function sourceOf({ harness, body, end }: Assembled, form: ControlForm): string {
  if (form === "script") return `"use strict";${harness}${body}\n;${end === "" ? "" : "$finished"}`;
  return `(async function () { "use strict";${harness}${body}\n;${end}})()`;
}

async function ask(child: ChildProcess, request: ControlRequest): Promise<boolean | undefined> {
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  const gone = (): void => resolve(undefined);
  const timer = setTimeout(gone, deadlineMs);
  child.once("message", resolve);
  child.once("exit", gone);
  child.send(request, (error) => error && gone());
  const answer = await promise;
  clearTimeout(timer);
  child.off("message", resolve);
  child.off("exit", gone);
  return answer;
}

export function createControl(): Control {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function run(request: ControlRequest): Promise<boolean> {
    child ??= fork(script, { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    const answer = await ask(child, request);
    if (answer !== undefined) return answer;
    child.kill("SIGKILL");
    child = undefined;
    return false;
  }

  return {
    passes(test, form, negativeType) {
      const request = { source: sourceOf(test, form), ...(negativeType === undefined ? {} : { negativeType }) };
      const turn = last.then(() => run(request));
      last = turn;
      return turn;
    },
    [Symbol.dispose]: () => void child?.kill("SIGKILL"),
  };
}
