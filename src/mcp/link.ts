import type { Connection } from "./client.ts";

/** Holds at most one connection, open or being opened. */
export interface Link {
  /** The connection there is, if any. */
  current(): Promise<Connection> | undefined;
  /** That one, or a new one. */
  open(): Promise<Connection>;
  close(): Promise<void>;
}

/** `connect` is called whenever a connection is needed and none is there; it says by `onLost` when its connection is gone. */
export function createLink(connect: (onLost: () => void, signal: AbortSignal) => Promise<Connection>): Link {
  const closing = new AbortController();
  let slot: { readonly opening: Promise<Connection> } | undefined;
  return {
    current: () => slot?.opening,
    open() {
      if (slot !== undefined) return slot.opening;
      let lost = false;
      const forget = (): void => {
        lost = true;
        if (slot === mine) slot = undefined;
      };
      const mine = { opening: connect(forget, closing.signal) };
      if (!lost) slot = mine;
      mine.opening.catch(forget);
      return mine.opening;
    },
    async close() {
      closing.abort(new Error("the source was closed"));
      const open = slot?.opening;
      slot = undefined;
      await open?.then(
        (connection) => connection.close(),
        () => undefined,
      );
    },
  };
}
