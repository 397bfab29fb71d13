// Runs one text after another, each in a context of node:vm, and tells whether it ended as it must.
import { createContext, runInContext } from "node:vm";
import type { ControlRequest } from "./control.ts";

const timeoutMs = 10_000;

async function within(promise: unknown): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("the test does not end")), timeoutMs);
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function nameOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return "nothing that has a name";
  const { name, constructor } = thrown as {
    readonly name?: unknown;
    readonly constructor?: { readonly name?: unknown };
  };
  return String(name ?? constructor?.name);
}

async function passes({ source, negativeType }: ControlRequest): Promise<boolean> {
  try {
    await within(runInContext(source, createContext({ setTimeout }), { timeout: timeoutMs }));
    return negativeType === undefined;
  } catch (thrown) {
    return negativeType !== undefined && nameOf(thrown) === negativeType;
  }
}

// A test may reject what nothing handles.
process.on("unhandledRejection", () => undefined);
process.on("message", (request: ControlRequest) => {
  void passes(request).then((answer) => process.send?.(answer));
});
