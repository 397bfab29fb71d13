/** A waiting line that is fair over tenants: each round takes one of every tenant, the one served longest ago first. */
export interface FairLine<T> {
  readonly size: number;
  /** How many of one tenant wait. */
  sizeOf(tenant: string): number;
  add(tenant: string, item: T): void;
  leave(tenant: string, item: T): void;
  /** Notes that a tenant was served, whether it had to wait or not. */
  served(tenant: string): void;
  /** All that wait, in the order in which they are to be served. */
  inOrder(): readonly (readonly [tenant: string, item: T])[];
}

/** Of so many tenants it is kept when they were last served. */
const remembered = 1_000;

export function createFairLine<T>(): FairLine<T> {
  const waiting = new Map<string, T[]>();
  // In the order of being served: who is not in it comes first.
  const served = new Set<string>();

  return {
    get size() {
      let size = 0;
      for (const items of waiting.values()) size += items.length;
      return size;
    },
    sizeOf: (tenant) => waiting.get(tenant)?.length ?? 0,
    add(tenant, item) {
      const items = waiting.get(tenant);
      if (items === undefined) waiting.set(tenant, [item]);
      else items.push(item);
    },
    leave(tenant, item) {
      const items = waiting.get(tenant) ?? [];
      const at = items.indexOf(item);
      if (at >= 0) items.splice(at, 1);
      if (items.length === 0) waiting.delete(tenant);
    },
    served(tenant) {
      served.delete(tenant);
      served.add(tenant);
      for (const oldest of served) {
        if (served.size <= remembered) break;
        served.delete(oldest);
      }
    },
    inOrder() {
      const recent = [...served].filter((tenant) => waiting.has(tenant));
      const tenants = [...[...waiting.keys()].filter((tenant) => !served.has(tenant)), ...recent];
      const order: (readonly [string, T])[] = [];
      for (let round = 0, more = true; more; round += 1) {
        more = false;
        for (const tenant of tenants) {
          const items = waiting.get(tenant) ?? [];
          const item = items[round];
          if (round < items.length) order.push([tenant, item as T]);
          more ||= round + 1 < items.length;
        }
      }
      return order;
    },
  };
}
