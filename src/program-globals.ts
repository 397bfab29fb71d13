// What a program finds around it and what it does not: the sandbox is made from these tables, and what models are told of it too.

/** What a program keeps of the engine's own globals; all others are deleted, so that a newer engine adds nothing by itself. */
export const engineGlobals: readonly string[] = [
  "AggregateError",
  "Array",
  "ArrayBuffer",
  "AsyncDisposableStack",
  "BigInt",
  "BigInt64Array",
  "BigUint64Array",
  "Boolean",
  "DataView",
  "Date",
  "DisposableStack",
  "Error",
  "EvalError",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "Function",
  "Infinity",
  "Int16Array",
  "Int32Array",
  "Int8Array",
  "Intl",
  "Iterator",
  "JSON",
  "Map",
  "Math",
  "NaN",
  "Number",
  "Object",
  "Promise",
  "Proxy",
  "RangeError",
  "ReferenceError",
  "Reflect",
  "RegExp",
  "Set",
  "String",
  "SuppressedError",
  "Symbol",
  "SyntaxError",
  "TypeError",
  "URIError",
  "Uint16Array",
  "Uint32Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "WeakMap",
  "WeakSet",
  "decodeURI",
  "decodeURIComponent",
  "encodeURI",
  "encodeURIComponent",
  "escape",
  "eval",
  "globalThis",
  "isFinite",
  "isNaN",
  "parseFloat",
  "parseInt",
  "undefined",
  "unescape",
];

/** What the bootstrap adds; `unavailable` lists the rest. */
export const addedGlobals: readonly string[] = [
  "AbortController",
  "AbortSignal",
  "DOMException",
  "Event",
  "EventTarget",
  "TextDecoder",
  "TextEncoder",
  "ToolError",
  "URL",
  "URLSearchParams",
  "atob",
  "btoa",
  "clearInterval",
  "clearTimeout",
  "console",
  "crypto",
  "performance",
  "queueMicrotask",
  "results",
  "setInterval",
  "setTimeout",
  "show",
  "state",
  "structuredClone",
  "tools",
];

/** What a program calls of codecall itself: their calls carry the numbers behind those of the tools. */
export const providedFunctions = ["results.get", "show"] as const;
export type ProvidedName = (typeof providedFunctions)[number];

interface Unavailable {
  readonly name: string;
  /** A function throws when it is called; an object, on any access. */
  readonly kind: "function" | "object";
  readonly instead: string;
}

/** What models reach for and a program does not have, with the way to do it here. */
export const unavailable: readonly Unavailable[] = [
  {
    name: "Buffer",
    kind: "object",
    instead: "use Uint8Array with TextEncoder and TextDecoder, or atob and btoa for base64",
  },
  { name: "WebSocket", kind: "function", instead: "call one of the tools instead: `await tools.<name>(args)`" },
  { name: "XMLHttpRequest", kind: "function", instead: "call one of the tools instead: `await tools.<name>(args)`" },
  { name: "fetch", kind: "function", instead: "call one of the tools instead: `await tools.<name>(args)`" },
  { name: "fs", kind: "object", instead: "read and write files with one of the tools: `await tools.<name>(args)`" },
  { name: "module", kind: "object", instead: "end the program with `return <value>` instead of exporting" },
  {
    name: "process",
    kind: "object",
    instead: "take values from the task or from a tool, and end the program with `return <value>`",
  },
  {
    name: "require",
    kind: "function",
    instead: "modules cannot be loaded: use the standard globals and `tools.<name>(args)`",
  },
  { name: "setImmediate", kind: "function", instead: "use `setTimeout(callback, 0)`" },
];

/** The one sentence that an access throws. */
export function unavailableMessage(entry: Unavailable): string {
  return `${entry.name} is not available in a program: ${entry.instead}`;
}
