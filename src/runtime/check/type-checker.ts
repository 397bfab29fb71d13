// Checks in a supervised process of its own, as TypeScript may be long about a text: nothing that compiles waits for it.
import { createHash } from "node:crypto";
import { Fault, messageOf } from "../../errors.ts";
import { bounds } from "../../limits.ts";
import type { Surface } from "../../registry/surface.ts";
import type { Isolation } from "../isolation.ts";
import { createSupervisor, type Supervisor } from "../supervisor.ts";
import { declaredOf } from "./declared.ts";
import type { Finding } from "./findings.ts";
import { type CheckAnswer, type CheckRequest, readTypecheckLine } from "./protocol.ts";

export interface TypeCheckerOptions {
  readonly nodePath: string;
  /** Absent where the file of the process is not to be found. */
  readonly typecheckPath: string | undefined;
  /** Time for one program, a start of the process apart. */
  readonly timeoutMs: number;
  readonly isolation?: Isolation | undefined;
}

export type Checked =
  | { readonly status: "checked"; readonly findings: readonly Finding[] }
  /** No answer within `limitMs`, or at an earlier try. */
  | { readonly status: "unanswered"; readonly limitMs?: number }
  /** There is no TypeScript here, or it does not start. */
  | { readonly status: "unavailable"; readonly why: string };

export interface TypeChecker {
  /** Starts the process; a check does so too. */
  start(): void;
  /** Resolves when what was started answers, or with why it does not start. */
  failure(): Promise<string | undefined>;
  /** Rejects with `runtime_closed` alone. */
  check(source: string, surface: Surface): Promise<Checked>;
  /** Leaves no process; harmless twice. */
  close(): Promise<void>;
}

// CPU seconds of one process in its whole life, and KB of memory: a type may ask for any amount of either.
const ulimits = { t: 3_600, d: 4_194_304, s: 8_192 };
const flags = process.platform === "win32" ? [] : ["--stack-size=3900"];
const surfacesKept = 16;
const notFound = "the file codecall/typecheck-process was not found from here";

export function createTypeChecker({ nodePath, typecheckPath, timeoutMs, isolation }: TypeCheckerOptions): TypeChecker {
  /** What the process has, oldest use first. */
  const known = new Set<string>();
  let supervisor: Supervisor<CheckAnswer> | undefined;
  let unavailable: string | undefined;
  let hasAnswered = false;
  let isClosed = false;

  function start(script: string): Supervisor<CheckAnswer> {
    supervisor ??= createSupervisor({
      what: "type checker",
      nodePath,
      script,
      flags,
      ulimits,
      isolation,
      // TypeScript looks for its files beside its own, and for that in `/proc`.
      seesProcesses: true,
      read: readTypecheckLine,
      entangled: false,
      onStart: () => known.clear(),
    });
    return supervisor;
  }

  function requestOf(id: number, source: string, surface: Surface): CheckRequest {
    const { hash } = surface;
    const isNew = !known.delete(hash);
    known.add(hash);
    const [oldest] = known;
    if (known.size <= surfacesKept || oldest === undefined) {
      return { id, source, surface: hash, ...(isNew ? { declared: declaredOf(surface) } : {}) };
    }
    known.delete(oldest);
    return { id, source, surface: hash, declared: declaredOf(surface), forget: oldest };
  }

  async function ask(script: string, source: string, surface: Surface): Promise<Checked> {
    const text = source.toWellFormed();
    // The same text may be slow against one surface and not against another.
    const withinMs = Math.max(timeoutMs, bounds.typecheckWaitMs);
    const culprit = createHash("sha256").update(surface.hash).update(text).digest("base64");
    try {
      const request = (id: number): CheckRequest => requestOf(id, text, surface);
      const { answer, limitMs } = await start(script).ask({ text: culprit, limitMs: timeoutMs, withinMs, request });
      hasAnswered ||= answer !== undefined;
      if (answer !== undefined) return { status: "checked", findings: answer.findings };
      return { status: "unanswered", ...(limitMs === undefined ? {} : { limitMs }) };
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "sandbox_unavailable") throw error;
      // What never started will not start the next time either.
      if (!hasAnswered) unavailable = error.message;
      return { status: "unavailable", why: error.message };
    }
  }

  return {
    async failure() {
      if (supervisor === undefined) return notFound;
      return supervisor.ready.then(
        () => undefined,
        (error: unknown) => messageOf(error),
      );
    },
    start() {
      if (typecheckPath !== undefined && !isClosed) start(typecheckPath);
    },
    async check(source, surface) {
      if (isClosed) throw new Fault("runtime_closed", "the runtime is closed");
      if (unavailable !== undefined) return { status: "unavailable", why: unavailable };
      if (typecheckPath === undefined) {
        return { status: "unavailable", why: notFound };
      }
      return ask(typecheckPath, source, surface);
    },
    async close() {
      isClosed = true;
      await supervisor?.close();
    },
  };
}
