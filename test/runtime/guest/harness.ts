// Programs in the real bootstrap, built from the sources, inside a child process that plays the sandbox.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildGuest } from "../../../scripts/guest.ts";
import { lineReader } from "../../../src/runtime/lines.ts";
import { readGuestLine, type GuestHeader, type GuestLine, type GuestTool } from "../../../src/runtime/protocol.ts";

export interface Turn {
  readonly lines: readonly string[];
  /** What the engine threw at the end of the turn, e.g. an unhandled rejection. */
  readonly thrown?: string;
}

export interface Guest {
  readonly first: Turn;
  step(line: string): Promise<Turn>;
  close(): Promise<void>;
}

export interface GuestOptions {
  readonly tools?: readonly GuestTool[];
  readonly limits?: Partial<GuestHeader["limits"]>;
  readonly seed?: GuestHeader["seed"];
  readonly now?: number;
  /** JSON text of `state`. */
  readonly state?: string;
}

export interface Finished {
  readonly lines: readonly string[];
  readonly console: readonly string[];
  readonly warnings: readonly string[];
  readonly value: unknown;
  readonly error: Extract<GuestLine, { kind: "error" }>["error"] | undefined;
  /** Why the returned value could not leave. */
  readonly unusable: Extract<GuestLine, { kind: "unusable" }>["error"] | undefined;
}

/** What a call is answered with: a value, or the error of a call. */
type Answer = { readonly ok: unknown } | { readonly err: Readonly<Record<string, unknown>> };
type Responder = (line: GuestLine & { readonly seq: number }) => Answer | undefined;

export interface Guests {
  open(js: string, options?: GuestOptions): Promise<Guest>;
  /** Runs a program to its end: timers fire in the order asked, calls are answered by `respond`. */
  run(js: string, options?: GuestOptions, respond?: Responder): Promise<Finished>;
  stop(): Promise<void>;
}

const limits: GuestHeader["limits"] = {
  calls: 1_000,
  argumentBytes: 1_048_576,
  consoleBytes: 65_536,
  returnBytes: 262_144,
  stateBytes: 65_536,
  transferBytes: 16_777_216,
  timers: 1_000,
};

const startTime = 1_700_000_000_000;

export async function startGuests(): Promise<Guests> {
  const folder = await mkdtemp(join(tmpdir(), "guest-"));
  await buildGuest(folder);
  const script = join(import.meta.dirname, "guest-process.ts");
  const args = [
    "--no-turbofan",
    "--disable-warning=ExperimentalWarning",
    script,
    join(folder, "bootstrap.js"),
    join(folder, "url.js"),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { TZ: "UTC", LC_ALL: "en_US.UTF-8" },
  });
  const ask = asker(child);
  let guests = 0;

  async function open(js: string, options: GuestOptions = {}): Promise<Guest> {
    guests += 1;
    const guest = guests;
    const header: GuestHeader = {
      tools: options.tools ?? [{ name: "echo" }],
      seed: options.seed ?? [1, 2, 3, 4],
      now: options.now ?? startTime,
      state: options.state ?? "{}",
      limits: { ...limits, ...options.limits },
    };
    const first = await ask({ guest, open: { js, header } });
    return {
      first,
      step: (line) => ask({ guest, step: line }),
      close: async () => void (await ask({ guest, close: true })),
    };
  }

  return {
    open,
    async run(js, options, respond = (line) => (line.kind === "call" ? { ok: JSON.parse(line.args) } : undefined)) {
      const guest = await open(js, options);
      const lines: string[] = [];
      const waiting: string[] = [];
      let now = options?.now ?? startTime;
      for (let turn: Turn | undefined = guest.first; turn !== undefined;) {
        for (const line of turn.lines) {
          lines.push(line);
          const settlement = settle(line, respond, now + 1);
          if (settlement === undefined) continue;
          now += 1;
          waiting.push(settlement);
        }
        const next = waiting.shift();
        turn = next === undefined || lines.some(isEnd) ? undefined : await guest.step(next);
      }
      await guest.close();
      return finish(lines);
    },
    async stop() {
      child.stdin?.end();
      child.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const isEnd = (line: string): boolean => /^(?:[RVE]|P\d+,\d+) /.test(line);

function settle(line: string, respond: Responder, now: number): string | undefined {
  const read = readGuestLine(line);
  if (read === undefined) throw new Error(`the guest wrote a line that is none: ${line.slice(0, 200)}`);
  if (read.kind === "timer") return `${read.seq} fire ${now}`;
  if (!("seq" in read) || read.kind === "clear" || read.kind === "pending") return undefined;
  if (read.kind === "bad") {
    return `${read.seq} err ${now} ${JSON.stringify({ code: read.code, message: read.message, status: "refused", effect: "none", tool: "echo" })}`;
  }
  const answer = respond(read);
  if (answer === undefined) return undefined;
  return "ok" in answer
    ? `${read.seq} ok ${now} ${JSON.stringify(answer.ok)}`
    : `${read.seq} err ${now} ${JSON.stringify(answer.err)}`;
}

function finish(lines: readonly string[]): Finished {
  const read = lines.map((line) => readGuestLine(line));
  const value = read.find((line) => line?.kind === "value");
  const error = read.find((line) => line?.kind === "error");
  const unusable = read.find((line) => line?.kind === "unusable");
  return {
    lines,
    console: read.flatMap((line) => (line?.kind === "console" ? [line.text] : [])),
    warnings: read.flatMap((line) => (line?.kind === "warning" ? [line.text] : [])),
    value: value?.kind === "value" ? JSON.parse(value.json) : undefined,
    error: error?.kind === "error" ? error.error : undefined,
    unusable: unusable?.kind === "unusable" ? unusable.error : undefined,
  };
}

function asker(child: ChildProcess): (request: Record<string, unknown>) => Promise<Turn> {
  const waiting = new Map<number, { resolve(turn: Turn): void; reject(error: Error): void }>();
  let id = 0;
  const output = child.stdout;
  if (output === null) throw new Error("the child has no output");
  // Not node:readline, which takes U+2028 for the end of a line.
  const reader = lineReader(Number.MAX_SAFE_INTEGER, (line) => {
    const { id: answered, reply } = JSON.parse(line) as { id: number; reply: Turn & { failed?: string } };
    const asked = waiting.get(answered);
    waiting.delete(answered);
    if (reply.failed === undefined) asked?.resolve(reply);
    else asked?.reject(new Error(reply.failed));
  });
  output.on("data", (chunk: Buffer) => reader.push(chunk));
  child.once("exit", (code, signal) => {
    for (const asked of waiting.values()) asked.reject(new Error(`the guest process ended: ${code ?? signal}`));
  });
  return (request) => {
    id += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    waiting.set(id, { resolve, reject });
    child.stdin?.write(`${JSON.stringify({ id, ...request })}\n`);
    return promise;
  };
}
