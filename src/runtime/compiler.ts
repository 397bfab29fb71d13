// Compiles in a process that may hang or die on a text: each text has a time limit, and when it runs out or the process
// dies, the process is killed and all texts it had are suspects. The next process gets them one at a time, so that the
// one at fault is found; that text is refused for a while, and the others lose nothing but time.
import { createHash } from "node:crypto";
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import { type Compiled, type CompileFailure, type CompileResult, failed, resultOf } from "./compiled.ts";
import { type Link, startLink } from "./compiler-link.ts";
import type { CompileAnswer } from "./compiler-protocol.ts";

export type { Compiled, CompileFailure, CompileResult };

export interface CompilerOptions {
  readonly nodePath: string;
  readonly compilerPath: string;
  /** UTF-8 bytes of one text; unbounded unless given. */
  readonly sourceBytes?: number;
  /** Time for each started 256 KB of one text, a start of the process apart. */
  readonly timeoutMs: number;
}

export interface Compiler {
  /** A text that is at fault is a value; rejects with `runtime_closed` or `sandbox_unavailable`. */
  compile(source: string): Promise<CompileResult>;
  /** Leaves no process; harmless twice. */
  close(): Promise<void>;
  /** Resolves when the first process answers; rejects with `sandbox_unavailable`. */
  readonly ready: Promise<void>;
}

interface Job {
  readonly id: number;
  readonly source: string;
  /** What is sent: lone surrogates, which no file can hold, replaced. */
  readonly text: string;
  readonly limitMs: number;
  suspect: boolean;
  /** Processes that died while they had this text alone. */
  deaths: number;
  /** Its time ran out, so the process was killed for it. */
  expired: boolean;
  timer: NodeJS.Timeout | undefined;
  readonly resolve: (result: CompileResult) => void;
  readonly reject: (fault: Fault) => void;
}

const timedBytes = 262_144;
const inFlight = 4;
const deathsAllowed = 2;
const refusedTexts = 256;
const refusedMs = 600_000;

const digest = (text: string): string => createHash("sha256").update(text).digest("base64");

const unanswered = (limitMs?: number): CompileResult =>
  failed({
    code: "compile_failed",
    message: `the compiler gave no answer for this text${limitMs === undefined ? "" : ` within ${limitMs} ms`}`,
    hint: "Write it differently: less nesting, smaller expressions, simpler types. The same text is not tried again.",
  });

export function createCompiler(options: CompilerOptions): Compiler {
  const waiting: Job[] = [];
  const sent = new Map<number, Job>();
  const refused = new Map<string, number>();
  let link: Link | undefined;
  let isReady = false;
  let startTimer: NodeJS.Timeout | undefined;
  let nextId = 1;
  let closing: Promise<void> | undefined;
  const first = Promise.withResolvers<void>();
  // Whoever awaits `ready` hears of a failure; nobody has to.
  first.promise.catch(() => undefined);

  function start(): void {
    isReady = false;
    const own: Link = startLink({
      nodePath: options.nodePath,
      compilerPath: options.compilerPath,
      onReady() {
        clearTimeout(startTimer);
        isReady = true;
        first.resolve();
        pump();
      },
      onAnswer(answer) {
        const job = sent.get(answer.id);
        if (job !== undefined) settle(job, answer);
      },
      onEnd(why) {
        if (link === own) lost(why);
      },
    });
    link = own;
    startTimer = setTimeout(() => own.kill(), bounds.startMs);
  }

  function settle(job: Job, answer: CompileAnswer): void {
    clearTimeout(job.timer);
    sent.delete(job.id);
    job.resolve(resultOf(job.source, answer));
    pump();
  }

  function lost(why: string): void {
    clearTimeout(startTimer);
    link = undefined;
    if (!isReady) {
      const fault = new Fault("sandbox_unavailable", `the compiler process could not be started: ${why}`, {
        hint: `It runs ${options.nodePath} ${options.compilerPath} and needs Node 24 or newer.`,
      });
      first.reject(fault);
      for (const job of waiting.splice(0)) job.reject(fault);
      return;
    }
    const suspects = [...sent.values()];
    sent.clear();
    for (const job of suspects) clearTimeout(job.timer);
    const [only, ...others] = suspects;
    if (only !== undefined && others.length === 0) only.deaths += 1;
    // A process that died under a text once or twice may have been ended by somebody else.
    if (only !== undefined && (only.deaths > deathsAllowed || (only.expired && others.length === 0))) {
      refuse(only);
    } else {
      for (const job of suspects) job.suspect = true;
      waiting.unshift(...suspects);
    }
    pump();
  }

  function refuse(job: Job): void {
    const oldest = refused.keys().next();
    if (refused.size >= refusedTexts && oldest.done !== true) refused.delete(oldest.value);
    refused.set(digest(job.text), Date.now() + refusedMs);
    job.resolve(unanswered(job.expired ? job.limitMs : undefined));
  }

  function isRefused(text: string): boolean {
    if (refused.size === 0) return false;
    const until = refused.get(digest(text));
    return until !== undefined && until > Date.now();
  }

  function pump(): void {
    link?.hold(waiting.length > 0 || sent.size > 0);
    if (waiting.length === 0) return;
    if (link === undefined) {
      start();
      return;
    }
    if (!isReady) return;
    while (waiting.length > 0 && sent.size < inFlight) {
      const alone = waiting[0]?.suspect === true || [...sent.values()].some((job) => job.suspect);
      if (alone && sent.size > 0) return;
      const job = waiting.shift() as Job;
      if (isRefused(job.text)) {
        job.resolve(unanswered());
        continue;
      }
      sent.set(job.id, job);
      const own = link;
      job.timer = setTimeout(() => {
        job.expired = true;
        own.kill();
      }, job.limitMs);
      own.send({ id: job.id, source: job.text });
    }
  }

  function compile(source: string): Promise<CompileResult> {
    if (closing !== undefined) return Promise.reject(new Fault("runtime_closed", "the runtime is closed"));
    const bytes = Buffer.byteLength(source);
    if (options.sourceBytes !== undefined && bytes > options.sourceBytes) {
      const message = `the program text has ${bytes} bytes, over the limit sourceBytes of ${options.sourceBytes}`;
      return Promise.resolve(
        failed({ code: "source_too_large", message, hint: "Write a shorter program, or split it into several." }),
      );
    }
    const text = source.toWellFormed();
    const limitMs = options.timeoutMs * Math.max(1, Math.ceil(bytes / timedBytes));
    return new Promise((resolve, reject) => {
      waiting.push({
        id: nextId,
        source,
        text,
        limitMs,
        suspect: false,
        deaths: 0,
        expired: false,
        timer: undefined,
        resolve,
        reject,
      });
      nextId += 1;
      pump();
    });
  }

  async function close(): Promise<void> {
    const fault = new Fault("runtime_closed", "the runtime was closed");
    first.reject(fault);
    clearTimeout(startTimer);
    for (const job of [...sent.values(), ...waiting.splice(0)]) {
      clearTimeout(job.timer);
      job.reject(fault);
    }
    sent.clear();
    const last = link;
    link = undefined;
    last?.hold(true);
    last?.kill();
    await last?.ended;
  }

  start();
  return { compile, close: () => (closing ??= close()), ready: first.promise };
}
