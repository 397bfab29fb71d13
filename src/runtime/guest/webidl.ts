// The two conversions of Web IDL that the URL classes use.

/** Any value, as it is. */
export function any(value: unknown): unknown {
  return value;
}

/** Text without lone surrogates. */
export function USVString(value: unknown): string {
  if (typeof value === "symbol") throw new TypeError("a symbol is no text");
  return `${value}`.toWellFormed();
}
