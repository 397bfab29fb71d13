// A store over something that performs operations, one after the other or side by side.
import { Fault } from "../../../errors.ts";
import { bounds } from "../../../limits.ts";
import { laterTurn } from "../../../turns.ts";
import { checked } from "../checked.ts";
import type { RunSummary, Store } from "../store.ts";
import type { Given, OperationName, Result } from "./operations.ts";

export interface Performer {
  readonly ready: () => Promise<void>;
  /** Performs one operation whole, or rejects with a `Fault` and leaves nothing of it. */
  readonly perform: <K extends OperationName>(name: K, ...given: Given<K>) => Promise<Result<K>>;
  readonly close: () => Promise<void>;
}

export function storeOver({ ready, perform, close }: Performer): Store {
  return checked({
    isDurable: true,
    ready,
    create: (...given) => perform("create", ...given),
    append: (...given) => perform("append", ...given),
    async load(tenant, runId) {
      const { key, epoch, header, summary } = await perform("find", tenant, runId);
      const { entries: count, ...rest } = summary;
      const entries: string[] = [];
      while (entries.length < count) {
        const some = await readPage(tenant, runId, key, entries.length + 1, count + 1);
        for (const entry of some) entries.push(entry);
        await laterTurn();
      }
      return { ...rest, epoch, header, entries };
    },
    claim: (...given) => perform("claim", ...given),
    renew: (...given) => perform("renew", ...given),
    release: (...given) => perform("release", ...given),
    async list(filter) {
      const found: RunSummary[] = [];
      for (let isDone = false; !isDone;) {
        const last = found.at(-1);
        const limit = Math.min(bounds.listedAtOnce, filter.limit - found.length);
        const some = await perform("list", { ...filter, limit, ...(last === undefined ? {} : { before: last }) });
        found.push(...some);
        isDone = some.length < limit || found.length >= filter.limit;
      }
      return found;
    },
    reserve: (...given) => perform("reserve", ...given),
    settleRequest: (...given) => perform("settleRequest", ...given),
    get: (...given) => perform("get", ...given),
    put: (...given) => perform("put", ...given),
    remove: (...given) => perform("remove", ...given),
    listDocuments: (...given) => perform("listDocuments", ...given),
    async purge(filter) {
      const counts = { runs: 0, expired: 0, requests: 0, documents: 0 };
      for (let isDone = false; !isDone;) {
        const some = await perform("purgeRuns", filter);
        counts.runs += some.runs;
        counts.expired += some.expired;
        counts.requests += some.requests;
        ({ isDone } = some);
      }
      if (filter.session === undefined) counts.requests += await perform("purgeRequests", filter);
      counts.documents = await perform("purgeDocuments", filter);
      return counts;
    },
    close,
  });

  /** A run that was purged while it was read is not there, rather than damaged. */
  async function readPage(...given: Given<"page">): Promise<readonly string[]> {
    try {
      return await perform("page", ...given);
    } catch (error) {
      const [tenant, runId] = given;
      if (error instanceof Fault && error.code === "store_tampered") await perform("find", tenant, runId);
      throw error;
    }
  }
}
