// What passes between the host's thread and the one that holds the SQLite file.
import type { Given, OperationName, Result } from "./sql/operations.ts";

export interface SqliteSettings {
  readonly path: string;
  readonly synchronous: "full" | "normal";
  readonly busyMs: number;
}

/** `ready` opens the file; `close` closes it, after which nothing more is asked. */
export type SqliteTask =
  | { readonly [K in OperationName]: { readonly kind: K; readonly given: Given<K> } }[OperationName]
  | { readonly kind: "ready" | "close" };

export interface SqliteRequest {
  readonly id: number;
  readonly task: SqliteTask;
}

export interface FaultData {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export type SqliteAnswer =
  | { readonly id: number; readonly value: Result<OperationName> | undefined }
  | { readonly id: number; readonly fault: FaultData };
