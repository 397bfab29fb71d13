// Programs that have started and not ended. One that only waits may have given its process up, so processes alone do not
// bound how many there are, and each holds its tape.
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";

export interface Crowd {
  /** Throws `overloaded` where no other program of the tenant may start now. */
  admit(tenant: string): void;
  /** Notes that one starts; throws as `admit` does. The function that it gives is called once, at its end. */
  enter(tenant: string): () => void;
}

export function createCrowd(most: number = bounds.startedPrograms, mostOfOne: number = bounds.startedPerTenant): Crowd {
  const started = new Map<string, number>();
  let total = 0;

  function admit(tenant: string): void {
    const own = started.get(tenant) ?? 0;
    if (own >= mostOfOne) throw overloaded(`${own} programs of this tenant`);
    if (total >= most) throw overloaded(`${total} programs`);
  }

  return {
    admit,
    enter(tenant) {
      admit(tenant);
      total += 1;
      started.set(tenant, (started.get(tenant) ?? 0) + 1);
      return () => {
        total -= 1;
        const left = (started.get(tenant) ?? 1) - 1;
        if (left === 0) started.delete(tenant);
        else started.set(tenant, left);
      };
    },
  };
}

const overloaded = (what: string): Fault =>
  new Fault("overloaded", `${what} have started and not ended, which is as many as may`, {
    hint: "try again later, or lower limits.wallMs: most of them wait for their tools",
  });
