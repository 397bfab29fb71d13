// Compiles in a supervised process, as the parser and esbuild may hang or die on a text.
import { Fault } from "../errors.ts";
import { type Compiled, type CompileFailure, type CompileResult, failed, resultOf } from "./compiled.ts";
import { readCompilerLine } from "./compiler-protocol.ts";
import type { Isolation } from "./isolation.ts";
import { createSupervisor, type Reply } from "./supervisor.ts";

export type { Compiled, CompileFailure, CompileResult };

export interface CompilerOptions {
  readonly nodePath: string;
  readonly compilerPath: string;
  /** UTF-8 bytes of one text; unbounded unless given. */
  readonly sourceBytes?: number;
  /** Time for each started 256 KB of one text, a start of the process apart. */
  readonly timeoutMs: number;
  readonly isolation?: Isolation | undefined;
}

export interface Compiler {
  /** A text that is at fault is a value; rejects with `runtime_closed` or `sandbox_unavailable`. */
  compile(source: string): Promise<CompileResult>;
  /** Leaves no process; harmless twice. */
  close(): Promise<void>;
  /** Resolves when the first process answers; rejects with `sandbox_unavailable`. */
  readonly ready: Promise<void>;
}

const timedBytes = 262_144;
// CPU seconds of one process in its whole life: only a stray one gets there where no parent can end it.
const cpuSeconds = 900;
// The parser must get through `bounds.depth` levels before it is optimised, when its frames are largest.
const stackKb = 8_192;
// Trees of large texts live shortly: a larger nursery spares most of their collections.
const flags = ["--max-semi-space-size=64", ...(process.platform === "win32" ? [] : ["--stack-size=3900"])];

const unanswered = ({ limitMs }: Reply<unknown>): CompileResult =>
  failed({
    code: "compile_failed",
    message: `the compiler gave no answer for this text${limitMs === undefined ? "" : ` within ${limitMs} ms`}`,
    hint: "Write it differently: less nesting, smaller expressions, simpler types. The same text is not tried again.",
  });

export function createCompiler(options: CompilerOptions): Compiler {
  const supervisor = createSupervisor({
    what: "compiler",
    nodePath: options.nodePath,
    script: options.compilerPath,
    flags,
    ulimits: { t: cpuSeconds, s: stackKb },
    isolation: options.isolation,
    read: readCompilerLine,
    entangled: true,
  });
  let closing: Promise<void> | undefined;

  async function compile(source: string): Promise<CompileResult> {
    if (closing !== undefined) throw new Fault("runtime_closed", "the runtime is closed");
    const bytes = Buffer.byteLength(source);
    if (options.sourceBytes !== undefined && bytes > options.sourceBytes) {
      const message = `the program text has ${bytes} bytes, over the limit sourceBytes of ${options.sourceBytes}`;
      return failed({ code: "source_too_large", message, hint: "Write a shorter program, or split it into several." });
    }
    // Lone surrogates, which no file can hold, are replaced.
    const text = source.toWellFormed();
    const limitMs = options.timeoutMs * Math.max(1, Math.ceil(bytes / timedBytes));
    const reply = await supervisor.ask({ text, limitMs, request: (id) => ({ id, source: text }) });
    return reply.answer === undefined ? unanswered(reply) : resultOf(source, reply.answer);
  }

  return { compile, close: () => (closing ??= supervisor.close()), ready: supervisor.ready };
}
