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
