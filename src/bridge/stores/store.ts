// What a store keeps: runs as ordered logs of texts, requests that were sent into the world, and documents. Everything belongs to a
// tenant and is found by that tenant alone. Ids are made by the caller and have to be unguessable. Times are ms since 1970, spans ms.
// Each method is one atomic step: a rejection means that it wrote nothing, except where the connection broke during the commit
// itself (`store_unavailable`); whoever goes on then has to load first, and the fence stops whoever does not.

export type RunStatus = "running" | "suspended" | "completed" | "failed" | "cancelled";

export interface NewRun {
  readonly tenant: string;
  readonly runId: string;
  readonly session: string;
  readonly at: number;
  readonly header: string;
}

/** Who works on a run, and until when nobody else may: `now + ttlMs`. */
export interface Claimant {
  readonly owner: string;
  readonly ttlMs: number;
  readonly now: number;
}

/** `reserve`: whoever does so first may send; `settle`: what came of it, of which the first one stands. */
export type RequestWrite =
  | { readonly kind: "reserve"; readonly requestId: string; readonly call: number }
  | { readonly kind: "settle"; readonly requestId: string; readonly outcome: string };

/** `first: false` without an outcome: the call that reserved it is under way, or was interrupted. */
export type Reservation =
  | { readonly first: true }
  | {
      readonly first: false;
      readonly runId: string;
      readonly call: number;
      readonly at: number;
      readonly outcome?: string;
    };

/** Entries as texts, and what is to be written together with them. */
export interface Content {
  readonly entries: readonly string[];
  readonly at: number;
  /** Sets the status, and with it until when a suspended run waits. */
  readonly status?: RunStatus | undefined;
  readonly expiresAt?: number | undefined;
  readonly requests?: readonly RequestWrite[] | undefined;
}

export interface Write extends Content {
  readonly epoch: number;
  /** The number of the first entry: the entries of a run are numbered from 1, without gaps. */
  readonly from: number;
}

export interface Written {
  readonly epoch: number;
  /** The answers to what was reserved, in order. */
  readonly reservations: readonly Reservation[];
}

export interface RunSummary {
  readonly tenant: string;
  readonly runId: string;
  readonly session: string;
  readonly status: RunStatus;
  readonly at: number;
  readonly updatedAt: number;
  readonly entries: number;
  readonly expiresAt?: number;
  readonly claim?: { readonly owner: string; readonly until: number };
}

export interface StoredRun extends Omit<RunSummary, "entries"> {
  readonly epoch: number;
  readonly header: string;
  /** The entry numbered n at `n - 1`. */
  readonly entries: readonly string[];
}

export interface RunFilter {
  readonly tenant: string;
  readonly session?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** The last run of the page before; what follows it is older. */
  readonly before?: { readonly at: number; readonly runId: string } | undefined;
  readonly limit: number;
}

export interface Document {
  readonly id: string;
  readonly body: string;
  /** Grows with each change, a removal included. */
  readonly version: number;
  readonly session?: string;
  readonly at: number;
}

export interface DocumentNote {
  /** The session with which the document is purged. */
  readonly session?: string | undefined;
  readonly at: number;
}

/** All of a tenant, or of it what belongs to a session, or what was last written before a time, or both. */
export interface PurgeFilter {
  readonly tenant: string;
  readonly session?: string | undefined;
  readonly before?: number | undefined;
  readonly now: number;
}

/** `expired`: those of the `runs` that were suspended and past their time, which are purged whatever their age. */
export interface Purged {
  readonly runs: number;
  readonly expired: number;
  readonly requests: number;
  readonly documents: number;
}

export interface Store {
  /** Whether what it holds outlives the process. */
  readonly isDurable: boolean;
  /** Opens the store and brings its schema up to date, as the first use does too; rejects where it cannot be used. */
  ready(): Promise<void>;
  /** Makes a run and claims it, epoch 1; rejects with `run_exists`. */
  create(run: NewRun, claim: Claimant, content?: Content): Promise<Written>;
  /** Rejects with `store_fenced` where the epoch is not the run's, its claim was given up, or `from` is not its next number; with `run_not_found`. */
  append(tenant: string, runId: string, write: Write): Promise<Written>;
  /** Rejects with `run_not_found`, and with `store_tampered` naming the run and the entry. */
  load(tenant: string, runId: string): Promise<StoredRun>;
  /** Claims a run and resolves with its new epoch; rejects with `run_claimed` while another owner's claim holds. */
  claim(tenant: string, runId: string, claim: Claimant): Promise<number>;
  /** Rejects with `store_fenced` where somebody else has claimed the run since. */
  renew(tenant: string, runId: string, claim: Claimant & { readonly epoch: number }): Promise<void>;
  /** Gives a claim up; does nothing where it is not held any more. */
  release(tenant: string, runId: string, epoch: number): Promise<void>;
  /** Newest first; at most 10,000. */
  list(filter: RunFilter): Promise<readonly RunSummary[]>;
  reserve(
    tenant: string,
    requestId: string,
    by: { readonly runId: string; readonly call: number; readonly at: number },
  ): Promise<Reservation>;
  /** Resolves with the outcome that stands, which is the first; rejects with `request_not_reserved`. */
  settleRequest(tenant: string, requestId: string, outcome: string): Promise<string>;
  get(tenant: string, kind: string, id: string): Promise<Document | undefined>;
  /** Resolves with the new version. `expected` is the version read, `undefined` that there is none; anything else rejects with `store_conflict`. */
  put(
    tenant: string,
    kind: string,
    id: string,
    body: string,
    expected: number | undefined,
    note: DocumentNote,
  ): Promise<number>;
  /** Resolves with whether there was one; with `expected`, rejects with `store_conflict` where it is not at that version. */
  remove(tenant: string, kind: string, id: string, expected?: number): Promise<boolean>;
  /** In the order of their ids. */
  listDocuments(tenant: string, kind: string, prefix?: string): Promise<readonly Document[]>;
  /** Removes for good; a run whose claim holds stays. */
  purge(filter: PurgeFilter): Promise<Purged>;
  /** Waits for what is under way; every later use rejects with `store_closed`. */
  close(): Promise<void>;
}
