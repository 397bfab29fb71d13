// What a model emits again although nothing has changed is refused, and in the end ends the turn. A call may be made twice: only
// its second result shows that it does not change. Loops in programs are none of this.

/** What else may have changed the answer of a call, as it stands. */
export interface World {
  /** Of what is offered, and of what was granted. */
  readonly stamp: string;
  /** Calls in the turn so far that had an effect. */
  readonly effects: number;
}

export interface LoopGuard {
  /** Why a call of this key is refused now: it repeats what did not change. */
  before(key: string, name: string, world: World): string | undefined;
  /** What it answered, and how many of the effects were its own. */
  after(key: string, result: string, ownEffects: number, world: World): void;
  /** Why the turn is over. */
  readonly ended: string | undefined;
}

interface Seen {
  result: string;
  stamp: string;
  /** Effects that were not its own. */
  others: number;
  repeats: number;
}

/** The repeat that ends a turn. */
const lastRepeat = 4;

export function createLoopGuard(): LoopGuard {
  const seen = new Map<string, Seen>();
  const own = new Map<string, number>();
  let ended: string | undefined;
  const othersOf = (key: string, { effects }: World): number => effects - (own.get(key) ?? 0);

  return {
    before(key, name, world) {
      const last = seen.get(key);
      if (last === undefined || last.repeats === 0) return undefined;
      if (last.stamp !== world.stamp || last.others !== othersOf(key, world)) return undefined;
      last.repeats += 1;
      if (last.repeats >= lastRepeat) {
        ended ??= `the turn ends here: ${name} was called over and over with the same arguments and nothing changed; answer with what there is`;
      }
      return `${name} was called with the same arguments again, and nothing has changed since it last answered the same; use that answer, or call it with other arguments`;
    },
    after(key, result, ownEffects, world) {
      own.set(key, (own.get(key) ?? 0) + ownEffects);
      const others = othersOf(key, world);
      const last = seen.get(key);
      const isRepeat = last?.result === result && last.stamp === world.stamp && last.others === others;
      seen.set(key, { result, stamp: world.stamp, others, repeats: isRepeat ? last.repeats + 1 : 0 });
    },
    get ended() {
      return ended;
    },
  };
}
