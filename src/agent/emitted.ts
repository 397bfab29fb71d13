// What one turn remembers of what its model emitted: repeated calls, and programs that fail in the same way.
import type { ProgramError } from "../runtime/result.ts";
import { createLoopGuard, type LoopGuard } from "../policy/loop-guard.ts";

export interface Emitted {
  readonly loop: LoopGuard;
  /** A call in the turn has ended with an effect, whoever made it. */
  sawEffect(): void;
  readonly effects: number;
  /** How many programs of the turn have failed in this way, with this one. */
  failed(error: ProgramError): number;
}

export function createEmitted(): Emitted {
  const failures = new Map<string, number>();
  let effects = 0;
  return {
    loop: createLoopGuard(),
    sawEffect: () => void (effects += 1),
    get effects() {
      return effects;
    },
    failed({ code, name = "" }) {
      const kind = `${code} ${name}`;
      const count = (failures.get(kind) ?? 0) + 1;
      failures.set(kind, count);
      return count;
    },
  };
}
