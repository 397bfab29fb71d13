import * as $ from "./primordials.ts";

/** Why a value cannot cross; the message names the path. */
export class JsonError extends Error {
  override readonly name: string = "JsonError";
  readonly path: string;
  readonly reason: string;
  readonly kind: "not_json" | "too_large";

  constructor(path: string, reason: string, kind: "not_json" | "too_large" = "not_json") {
    super(`${path} ${reason}`);
    this.path = path;
    this.reason = reason;
    this.kind = kind;
  }
}

/** As `instanceof`, which would ask the `Error` of a guest. */
export function isJsonError(thrown: unknown): thrown is JsonError {
  return typeof thrown === "object" && thrown !== null && $.isPrototypeOf(JsonError.prototype, thrown);
}
