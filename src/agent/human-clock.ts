import type { AskHost } from "../bridge/call.ts";

/** Measures, in ms, the time in which at least one card waits: until it is answered, or nobody waits for the answer any more. */
export function humanClock(ask: AskHost | undefined): { readonly ask: AskHost | undefined; readonly ms: () => number } {
  if (ask === undefined) return { ask: undefined, ms: () => 0 };
  let open = 0;
  let since = 0;
  let total = 0;
  return {
    async ask(card) {
      if (open === 0) since = performance.now();
      open += 1;
      let isOver = false;
      const leave = (): void => {
        if (isOver) return;
        isOver = true;
        open -= 1;
        if (open === 0) total += performance.now() - since;
      };
      card.signal.addEventListener("abort", leave, { once: true });
      try {
        return await ask(card);
      } finally {
        leave();
      }
    },
    ms: () => total + (open > 0 ? performance.now() - since : 0),
  };
}
