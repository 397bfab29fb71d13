/** A validator's raw error; `parentSchema`, `schema` and `data` are the very objects of schema and value. */
export interface Complaint {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
  readonly schema?: unknown;
  readonly parentSchema?: unknown;
  readonly data?: unknown;
}
