import type { AskHost } from "../bridge/call.ts";

/** Measures, in ms, the time in which at least one question is open. */
export function humanClock(ask: AskHost | undefined): { readonly ask: AskHost | undefined; readonly ms: () => number } {
  if (ask === undefined) return { ask: undefined, ms: () => 0 };
  let open = 0;
  let since = 0;
  let total = 0;
  return {
    async ask(card) {
      if (open === 0) since = performance.now();
      open += 1;
      try {
        return await ask(card);
      } finally {
        open -= 1;
        if (open === 0) total += performance.now() - since;
      }
    },
    ms: () => total + (open > 0 ? performance.now() - since : 0),
  };
}
