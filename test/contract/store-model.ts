// Random work of two owners on two runs, against the plainest thing that could be right.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/bridge/stores/store.ts";
import { claimBy, codeOf, run, type StoreHome } from "./store-suite.ts";

type Command =
  | { readonly kind: "create" | "claim" | "release" | "load"; readonly run: string; readonly who: string }
  | {
      readonly kind: "append";
      readonly run: string;
      readonly who: string;
      readonly ahead: number;
      readonly count: number;
    }
  | { readonly kind: "pass"; readonly ms: number };

interface ModelRun {
  epoch: number;
  owner: string | undefined;
  until: number;
  readonly entries: string[];
}

const who = fc.constantFrom("a", "b");
const which = fc.constantFrom("r", "s");
const commands: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom("create", "claim", "release", "load"), run: which, who }),
    fc.record({
      kind: fc.constant("append" as const),
      run: which,
      who,
      ahead: fc.constantFrom(0, 0, 0, 0, 1, -1),
      count: fc.nat(2),
    }),
    fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(200, 600) }),
  ) as fc.Arbitrary<Command>,
  { maxLength: 40 },
);

/** What each owner last knew of a run. */
interface Known {
  epoch: number;
  next: number;
}

async function follow(store: Store, prefix: string, given: readonly Command[]): Promise<void> {
  const model = new Map<string, ModelRun>();
  const known = new Map<string, Known>();
  let now = 1_000;
  for (const [index, command] of given.entries()) {
    if (command.kind === "pass") {
      now += command.ms;
      continue;
    }
    const id = prefix + command.run;
    const key = command.who + command.run;
    const found = model.get(command.run);
    const holding = known.get(key) ?? { epoch: 1, next: 1 };
    if (command.kind === "create") {
      const code = await codeOf(store.create(run(id, { at: now }), claimBy(command.who, now)));
      expect(code).toBe(found === undefined ? "none" : "run_exists");
      if (found !== undefined) continue;
      model.set(command.run, { epoch: 1, owner: command.who, until: now + 500, entries: [] });
      known.set(key, { epoch: 1, next: 1 });
    } else if (found === undefined) {
      expect(await codeOf(store.claim("acme", id, claimBy(command.who, now)))).toBe("run_not_found");
    } else if (command.kind === "claim") {
      const isFree = found.owner === undefined || found.owner === command.who || found.until <= now;
      const claimed = store.claim("acme", id, claimBy(command.who, now));
      if (isFree) {
        expect(await claimed).toBe(found.epoch + 1);
        found.epoch += 1;
        found.owner = command.who;
        found.until = now + 500;
        known.set(key, { epoch: found.epoch, next: found.entries.length + 1 });
      } else expect(await codeOf(claimed)).toBe("run_claimed");
    } else if (command.kind === "release") {
      await store.release("acme", id, holding.epoch);
      if (holding.epoch === found.epoch) found.owner = undefined;
    } else if (command.kind === "append") {
      const entries = Array.from({ length: command.count }, (_, n) => `${command.who} ${index} ${n}`);
      const from = Math.max(1, holding.next + command.ahead);
      const isRight = holding.epoch === found.epoch && from === found.entries.length + 1 && found.owner !== undefined;
      const code = await codeOf(store.append("acme", id, { epoch: holding.epoch, from, entries, at: now }));
      expect(code).toBe(isRight ? "none" : "store_fenced");
      if (!isRight) continue;
      found.entries.push(...entries);
      known.set(key, { epoch: holding.epoch, next: found.entries.length + 1 });
    } else {
      const loaded = await store.load("acme", id);
      expect(loaded).toMatchObject({ entries: found.entries, epoch: found.epoch });
    }
  }
  for (const [name, { entries, epoch }] of model) {
    const loaded = await store.load("acme", prefix + name);
    expect(loaded).toMatchObject({ entries, epoch });
  }
}

export function storeModel(name: string, makeHome: () => Promise<StoreHome>, numRuns: number): void {
  describe(`the model of a store in ${name}`, () => {
    it("J9 two owners who create, claim, append and give up in any order find what a plain list would hold", async () => {
      const home = await makeHome();
      const store = home.open();
      let count = 0;
      try {
        await fc.assert(
          fc.asyncProperty(commands, async (given) => {
            count += 1;
            await follow(store, `${count}-`, given);
          }),
          { numRuns },
        );
        expect(count).toBe(numRuns);
      } finally {
        await store.close();
        await home.drop();
      }
    });
  });
}
