import * as $ from "./primordials.ts";

/** Whether objects of a prototype are plain, in this realm or another. */
export function isPlain(prototype: object | null): boolean {
  if (prototype === $.objectPrototype || prototype === null) return true;
  // Another realm's plain object: its prototype is the end of the chain and is called Object.
  return $.getPrototypeOf(prototype) === null && ($.constructorName(prototype) ?? "Object") === "Object";
}

/** Whether a prototype answers for indices that an array lacks. */
export function hasIndex(prototype: object): boolean {
  const first = $.ownKeys(prototype)[0];
  return typeof first === "string" && $.isInteger($.toNumber(first));
}

/** The message of what a value's own code threw. */
export function thrownMessage(thrown: unknown): string {
  try {
    const message: unknown = typeof thrown === "object" && thrown !== null ? $.getProperty(thrown, "message") : thrown;
    return $.slice($.toText(message), 0, 200);
  } catch {
    return "an error that cannot be read";
  }
}

/** What a view of a buffer holds: the numbers of a typed array, the bytes of a DataView. */
export function viewItems(view: object): ArrayLike<unknown> {
  if ($.typedName(view) !== undefined) return view as Uint8Array;
  return new $.NativeUint8Array($.viewBuffer(view), $.viewOffset(view), $.viewBytes(view));
}
