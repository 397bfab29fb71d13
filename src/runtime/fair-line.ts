/** A waiting line that is fair over tenants: each round takes one of every tenant, the one served longest ago first. */
export interface FairLine<T> {
  readonly size: number;
  /** How many of one tenant wait. */
  sizeOf(tenant: string): number;
  /** `front`: before all of its tenant that were not added so. */
  add(tenant: string, item: T, front?: boolean): void;
  leave(tenant: string, item: T): void;
  /** Notes that a tenant was served, whether it had to wait or not. */
  served(tenant: string): void;
  /** Who of the tenant is to be served next. */
  next(tenant: string): T | undefined;
  /** At most `count` of those who wait, in the order in which they are to be served. */
  first(count: number): readonly (readonly [tenant: string, item: T])[];
  /** The tenant of whom most wait, with the last of them that was not added at the front. */
  longest(): { readonly tenant: string; readonly size: number; readonly last: T | undefined } | undefined;
}

interface Place<T> {
  readonly tenant: string;
  /** When the tenant was last served; 0 for never. */
  readonly servedAt: number;
  readonly front: Set<T>;
  readonly back: Set<T>;
}

/** Of so many tenants it is kept when they were last served. */
const remembered = 1_000;

const sizeOf = <T>(place: Place<T> | undefined): number =>
  place === undefined ? 0 : place.front.size + place.back.size;

function* itemsOf<T>(place: Place<T>): Generator<T, undefined> {
  yield* place.front;
  yield* place.back;
}

/** Puts a place behind all that were served no later. */
function insert<T>(order: Place<T>[], place: Place<T>): void {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((order[middle]?.servedAt ?? 0) <= place.servedAt) low = middle + 1;
    else high = middle;
  }
  order.splice(low, 0, place);
}

export function createFairLine<T>(): FairLine<T> {
  const places = new Map<string, Place<T>>();
  const order: Place<T>[] = [];
  // In the order of being served, so that the oldest is forgotten first.
  const served = new Map<string, number>();
  let size = 0;
  let clock = 0;

  function enter(place: Place<T>): Place<T> {
    places.set(place.tenant, place);
    insert(order, place);
    return place;
  }

  function drop(place: Place<T>): void {
    places.delete(place.tenant);
    order.splice(order.indexOf(place), 1);
  }

  return {
    get size() {
      return size;
    },
    sizeOf: (tenant) => sizeOf(places.get(tenant)),
    add(tenant, item, front = false) {
      const place =
        places.get(tenant) ?? enter({ tenant, servedAt: served.get(tenant) ?? 0, front: new Set(), back: new Set() });
      place[front ? "front" : "back"].add(item);
      size += 1;
    },
    leave(tenant, item) {
      const place = places.get(tenant);
      if (place === undefined || !(place.front.delete(item) || place.back.delete(item))) return;
      size -= 1;
      if (sizeOf(place) === 0) drop(place);
    },
    served(tenant) {
      clock += 1;
      served.delete(tenant);
      served.set(tenant, clock);
      const [oldest] = served.keys();
      if (served.size > remembered && oldest !== undefined) served.delete(oldest);
      const place = places.get(tenant);
      if (place === undefined) return;
      drop(place);
      enter({ ...place, servedAt: clock });
    },
    next(tenant) {
      const place = places.get(tenant);
      return place === undefined ? undefined : itemsOf(place).next().value;
    },
    first(count) {
      const found: (readonly [string, T])[] = [];
      let round = order.slice(0, count).map((place) => [place.tenant, itemsOf(place)] as const);
      while (round.length > 0 && found.length < count) {
        round = round.filter(([tenant, items]) => {
          const next = items.next();
          if (next.done === true) return false;
          found.push([tenant, next.value]);
          return true;
        });
      }
      return found.slice(0, count);
    },
    longest() {
      let longest = order[0];
      for (const place of order) if (sizeOf(place) > sizeOf(longest)) longest = place;
      if (longest === undefined) return undefined;
      return { tenant: longest.tenant, size: sizeOf(longest), last: [...longest.back].at(-1) };
    },
  };
}
