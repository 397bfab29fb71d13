import type { Assembled } from "../prompt/assemble.ts";
import { createHistory, type Prompt } from "../prompt/history.ts";

/** The prompts of one conversation. */
export interface Conversation {
  /** Takes in a prompt in the order of asking, however long each takes; one that rejects leaves no trace. */
  add(assembling: Promise<Assembled>): Promise<Prompt>;
}

export function createConversation(): Conversation {
  const history = createHistory();
  let earlier: Promise<unknown> = Promise.resolve();
  return {
    add(assembling) {
      const prompt = Promise.all([assembling, earlier]).then(([assembled]) => history.next(assembled));
      earlier = Promise.allSettled([earlier, prompt]);
      return prompt;
    },
  };
}
