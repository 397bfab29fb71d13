import { vi } from "vitest";
import { createDeployment, type DeploymentOptions, type Scope, type TurnOptions } from "../../../src/index.ts";
import { bounds } from "../../../src/limits.ts";
import type { Prompt } from "../../../src/prompt/history.ts";

/** A deployment and the messages of its log. */
export function deploy(options: DeploymentOptions = {}): { deployment: Scope; logged: string[] } {
  const logged: string[] = [];
  const logger = { warn: (message: string) => void logged.push(message), error: () => undefined };
  return { deployment: createDeployment({ logger, ...options }), logged };
}

/** The prompt of the first turn of a fresh session, in the form `direct`. */
export async function promptOf(scope: Scope, options: TurnOptions = {}): Promise<Prompt> {
  const agent = await scope.agent("agent");
  const session = await agent.session("chat", { tenant: "acme", identity: { user: "u1" } });
  return session.turn(options).surface().prompt;
}

export const textOf = async (scope: Scope, options: TurnOptions = {}): Promise<string> =>
  (await promptOf(scope, options)).text;

/** Asks a conversation again and again: each call is the next request. */
export async function converse(scope: Scope): Promise<() => Promise<Prompt>> {
  const agent = await scope.agent("agent");
  const session = await agent.session("chat");
  return () => session.turn().surface().prompt;
}

export function addTool(scope: Scope, name: string, description = `Returns ${name}`): Disposable {
  return scope.tool({ name, description, inputSchema: { type: "object" }, execute: () => null });
}

/** What an assembly is refused with once its time is up, and the timers that it leaves. */
export async function whenLate(scope: Scope): Promise<{ readonly refused: unknown; readonly timers: number }> {
  vi.useFakeTimers();
  try {
    const refusal = promptOf(scope, { model: "m" }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(bounds.promptMs);
    return { refused: await refusal, timers: vi.getTimerCount() };
  } finally {
    vi.useRealTimers();
  }
}
