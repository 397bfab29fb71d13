import { Fault, messageOf } from "../errors.ts";
import { bounds } from "../limits.ts";
import { describe } from "../options.ts";
import type { PromptRequest, PromptText } from "../registry/instructions.ts";
import { within } from "../within.ts";

/**
 * Runs a function of the host that has a say in the prompt. Rejects with `prompt_failed`, naming it, where it throws or
 * does not answer within `bounds.promptMs`, and with the signal's reason once that is aborted.
 */
export async function ask<T>(what: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const late = new Fault("prompt_failed", `${what} did not answer within ${bounds.promptMs} ms`);
  try {
    return await within(run(), { signal, time: { ms: bounds.promptMs, late: () => late } });
  } catch (error) {
    signal.throwIfAborted();
    if (error === late) throw late;
    throw new Fault("prompt_failed", `${what} failed: ${messageOf(error)}`, { cause: error });
  }
}

/** The text that a part has in this request; absent where it has none. */
export async function textOf(what: string, text: PromptText, request: PromptRequest): Promise<string | undefined> {
  if (typeof text === "string") return text;
  return ask(what, request.signal, async () => {
    const given: unknown = await text(request);
    if (given === undefined || typeof given === "string") return given;
    throw new TypeError(`it must give text or undefined, got ${describe(given)}`);
  });
}
