// What a conversation was told: messages are added when something changed, and never rewritten. A cleared text leaves
// requests without instruction messages; the mark stays in the place where it was cleared.
import type { Assembled } from "./assemble.ts";
import { noContext } from "./context.ts";

export interface PromptMessage {
  readonly kind: "instructions" | "context" | "cleared";
  readonly text: string;
}

/** The prompt of one request in its conversation. */
export interface Prompt extends Omit<Assembled, "warnings"> {
  /** All that the request carries of the prompt, in the order in which it was first sent. */
  readonly messages: readonly PromptMessage[];
  /** Those of `messages` that this request is the first to carry; the host adds them at the end of its conversation. */
  readonly appended: readonly PromptMessage[];
}

export interface History {
  /** Takes in the prompt of the next request. */
  next(assembled: Assembled): Prompt;
}

const cleared: PromptMessage = Object.freeze({
  kind: "cleared",
  text: "Current instructions: none. Earlier instructions no longer apply.",
});

export function createHistory(): History {
  let messages: readonly PromptMessage[] = Object.freeze([]);
  let text = "";
  let context: string | undefined;

  function changes(next: Assembled): readonly PromptMessage[] {
    const added: PromptMessage[] = [];
    if (next.text !== text) {
      added.push(next.text === "" ? cleared : Object.freeze({ kind: "instructions", text: next.text }));
    }
    if (next.context !== context) added.push(Object.freeze({ kind: "context", text: next.context ?? noContext }));
    return Object.freeze(added);
  }

  return {
    next(assembled) {
      const appended = changes(assembled);
      if (appended.length > 0) {
        const kept = appended.includes(cleared) ? messages.filter(({ kind }) => kind !== "instructions") : messages;
        messages = Object.freeze([...kept, ...appended]);
      }
      ({ text, context } = assembled);
      const { parts } = assembled;
      return Object.freeze({ text, parts, context, messages, appended });
    },
  };
}
