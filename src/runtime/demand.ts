import { bounds } from "../limits.ts";

/** How many spare processes to expect a use for, from what was taken of late. */
export interface Demand {
  /** Notes that a tenant took a process; `spare`: one that nobody had used. */
  took(tenant: string, spare: boolean): void;
  /** Spares that tenants will soon ask for who were not here of late. */
  readonly newcomers: number;
  /** Those of them that come while more tenants take turns than there are processes, so that keeping idle ones for each cannot help. */
  readonly crowd: number;
}

/** A count that halves in every `halfLifeMs`. */
function decaying(halfLifeMs: number): { add(): void; read(): number } {
  let value = 0;
  let at = 0;
  const read = (): number => {
    const now = performance.now();
    value *= 2 ** ((at - now) / halfLifeMs);
    at = now;
    return value;
  };
  return {
    read,
    add() {
      value = read() + 1;
    },
  };
}

/** `max`: the most processes there can be. */
export function createDemand(max: number): Demand {
  const newcomers = decaying(bounds.demandHalfLifeMs);
  const crowd = decaying(bounds.demandHalfLifeMs);
  // The tenants that took processes last, no more than could each keep one.
  const recent = new Set<string>();

  return {
    took(tenant, spare) {
      const known = recent.delete(tenant);
      const full = recent.size >= max;
      recent.add(tenant);
      const [oldest] = recent;
      if (recent.size > max && oldest !== undefined) recent.delete(oldest);
      if (!spare || known) return;
      newcomers.add();
      if (full) crowd.add();
    },
    get newcomers() {
      return Math.floor(newcomers.read());
    },
    get crowd() {
      return Math.floor(crowd.read());
    },
  };
}
