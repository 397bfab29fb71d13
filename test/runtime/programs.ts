import { createContext, Script } from "node:vm";
import { fileURLToPath } from "node:url";
import type { CompileFailure, Compiler } from "../../src/runtime/compiler.ts";
import { createCompiler } from "../../src/runtime/compiler.ts";
import { describeError, type DescribedError } from "../../src/runtime/frames.ts";

export const compilerPath: string = fileURLToPath(new URL("../../dist/compiler.js", import.meta.url));

export const startCompiler = (options: { readonly timeoutMs?: number; readonly sourceBytes?: number } = {}): Compiler =>
  createCompiler({ nodePath: process.execPath, compilerPath, timeoutMs: 10_000, ...options });

export interface Evaluated {
  readonly value?: unknown;
  readonly printed?: readonly string[];
  readonly failure?: CompileFailure;
  readonly error?: DescribedError;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Compiles a program and runs it in a context of this process, where `tools.echo` gives its argument back. */
export async function evaluate(compiler: Compiler, source: string): Promise<Evaluated> {
  const compiled = await compiler.compile(source);
  if (!compiled.ok) return { failure: compiled.failure };
  const printed: string[] = [];
  const context = createContext({
    tools: { echo: async (given: unknown) => given, get_page: async () => ({ items: [] }) },
    console: { log: (line: unknown) => void printed.push(String(line)) },
  });
  try {
    const main: unknown = new Script(compiled.js, { filename: "program.ts" }).runInContext(context);
    const value: unknown = await (main as () => Promise<unknown>)();
    return printed.length > 0 ? { value, printed } : { value };
  } catch (thrown) {
    const { name, message, stack } = thrown as { name?: unknown; message?: unknown; stack?: unknown };
    const error = { name: text(name), message: text(message), stack: text(stack) };
    return { error: describeError(error, compiled, { tools: ["echo", "get_page", "read-file"] }) };
  }
}
