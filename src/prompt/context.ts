import type { Instructions, PromptRequest } from "../registry/instructions.ts";
import { textOf } from "./ask.ts";
import { joined } from "./parts.ts";

const heading = "Current runtime context. This snapshot supersedes earlier runtime-context snapshots.";

/** What a conversation is told where it had a snapshot and there is none any more. */
export const noContext = "Current runtime context: none. Earlier runtime-context snapshots no longer apply.";

/**
 * The situation now, in the order of its feeders; absent where none has something to say or the context is off. What
 * feeders give is data: nothing in it is filled in.
 */
export async function takeSnapshot(instructions: Instructions, request: PromptRequest): Promise<string | undefined> {
  if (instructions.contextOff !== "no") return undefined;
  const texts = await Promise.all(
    instructions.contexts.map(({ name, text }) => textOf(`runtime context "${name}"`, text, request)),
  );
  const body = joined(texts.map((text) => text ?? ""));
  return body === "" ? undefined : `${heading}\n\n${body}`;
}
