// What a store does in SQL is written once, as operations: generators that yield statements and get rows. SQLite drives them in its
// thread, PostgreSQL over a connection. `@name` is a table of the store, `$1` a value; both databases read the rest alike.

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** One statement; with `rows` it is an insert that is repeated for each of them, and gives no rows back. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
  readonly rows?: readonly (readonly Value[])[];
}

export type Operation<T> = Generator<Statement, T, readonly Row[]>;

export const statement = (sql: string, ...values: readonly Value[]): Statement => ({ sql, values });

/** `insert into @table (columns) values`, which each database completes in its own way. */
export const insertAll = (sql: string, rows: readonly (readonly Value[])[]): Statement => ({ sql, values: [], rows });

/** A number, whatever the database made of it: one gives large integers as text. */
export const numberOf = (value: unknown): number => Number(value);

export const textOf = (value: unknown): string => {
  if (typeof value !== "string") throw new TypeError("the store gave something else than text");
  return value;
};

export const maybeText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const maybeNumber = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);
