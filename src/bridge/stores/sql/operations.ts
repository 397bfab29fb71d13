import { get, listDocuments, put, remove } from "./documents.ts";
import { purgeDocuments, purgeRequests, purgeRuns } from "./purge.ts";
import { find, list, page } from "./reading.ts";
import { reserve, settleRequest } from "./requests.ts";
import { append, claim, create, release, renew } from "./runs.ts";
import type { Operation } from "./statement.ts";

interface Operations {
  readonly find: typeof find;
  readonly page: typeof page;
  readonly list: typeof list;
  readonly get: typeof get;
  readonly listDocuments: typeof listDocuments;
  readonly create: typeof create;
  readonly append: typeof append;
  readonly claim: typeof claim;
  readonly renew: typeof renew;
  readonly release: typeof release;
  readonly reserve: typeof reserve;
  readonly settleRequest: typeof settleRequest;
  readonly put: typeof put;
  readonly remove: typeof remove;
  readonly purgeRuns: typeof purgeRuns;
  readonly purgeRequests: typeof purgeRequests;
  readonly purgeDocuments: typeof purgeDocuments;
}

/** All that is done in SQL, by name. */
const operations: Operations = {
  find,
  page,
  list,
  get,
  listDocuments,
  create,
  append,
  claim,
  renew,
  release,
  reserve,
  settleRequest,
  put,
  remove,
  purgeRuns,
  purgeRequests,
  purgeDocuments,
};

const reading: ReadonlySet<OperationName> = new Set<OperationName>(["find", "page", "list", "get", "listDocuments"]);

export type OperationName = keyof Operations;
export type Given<K extends OperationName> = Parameters<Operations[K]>;
export type Result<K extends OperationName> = ReturnType<Operations[K]> extends Operation<infer T> ? T : never;

/** Whether an operation writes, and so needs a transaction of its own. */
export const writes = (name: OperationName): boolean => !reading.has(name);

/** Begins an operation by its name. */
export function begin<K extends OperationName>(name: K, given: Given<K>): Operation<Result<K>> {
  const operation = operations[name] as unknown as (...args: Given<K>) => Operation<Result<K>>;
  return operation(...given);
}
