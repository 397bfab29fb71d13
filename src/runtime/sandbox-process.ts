// What runs in a sandbox process: one guest at a time, on one blocking pipe, without an event loop. The host is trusted, the guest is not.
import { createHash } from "node:crypto";
import { readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import ivm from "isolated-vm";
import { bounds } from "../limits.ts";
import type { GuestError, ReadyMessage, StartMessage, TurnEnd } from "./protocol.ts";

const pipe = 3;
/** Rejections nobody handled that are told of one program. */
const maxUnhandled = 20;
const memoryMb = Number(process.argv[2] ?? 64);

const bootText = readFileSync(join(import.meta.dirname, "guest/bootstrap.js"), "utf8");
const urlText = readFileSync(join(import.meta.dirname, "guest/url.js"), "utf8");
const bootstrap = createHash("sha256").update(bootText).update(urlText).digest("hex").slice(0, 16);

type Entry = ivm.Reference<(...args: unknown[]) => unknown>;

interface Guest {
  readonly isolate: ivm.Isolate;
  readonly context: ivm.Context;
  readonly begin: Entry;
  readonly start: Entry;
  readonly step: Entry;
  readonly take: Entry;
}

/** What the first isolate compiled, made and used in this process alone; it halves the time of the next ones. */
let bootCode: ivm.ExternalCopy<ArrayBuffer> | undefined;

function makeGuest(): Guest {
  const isolate = new ivm.Isolate({ memoryLimit: memoryMb });
  const context = isolate.createContextSync();
  const script = isolate.compileScriptSync(`(function(){${bootText};return guest.boot})()`, {
    filename: "codecall:bootstrap",
    ...(bootCode === undefined ? { produceCachedData: true } : { cachedData: bootCode }),
  });
  bootCode ??= (script as ivm.Script & ivm.CachedDataResult).cachedData;
  const boot = script.runSync<{ reference: true }>(context, { reference: true });
  const entries = boot.applySync(undefined, [urlText], { result: { reference: true } }) as ivm.Reference<Entry[]>;
  const entry = (index: number): Entry => entries.getSync(index, { reference: true }) as unknown as Entry;
  return { isolate, context, begin: entry(0), start: entry(1), step: entry(2), take: entry(3) };
}

function writeAll(text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(pipe, bytes, at);
    } catch (error) {
      retryOrLeave(error);
    }
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

function retryOrLeave(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "EAGAIN" && code !== "EINTR") process.kill(process.pid, "SIGKILL");
  Atomics.wait(pause, 0, 0, 1);
}

const chunk = Buffer.allocUnsafe(1 << 16);
let pending: Buffer[] = [];
const ahead: string[] = [];

/** Blocks for the next line; never returns once the host is gone. */
function readLine(): string {
  for (;;) {
    const line = ahead.shift();
    if (line !== undefined) return line;
    let count = -1;
    while (count < 0) {
      try {
        count = readSync(pipe, chunk, 0, chunk.length, null);
      } catch (error) {
        retryOrLeave(error);
      }
    }
    if (count === 0) process.kill(process.pid, "SIGKILL");
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0 && at < count; at = chunk.indexOf(10, from)) {
      pending.push(Buffer.from(chunk.subarray(from, at)));
      ahead.push((pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending)).toString("utf8"));
      pending = [];
      from = at + 1;
    }
    if (from < count) pending.push(Buffer.from(chunk.subarray(from, count)));
  }
}

let guest = makeGuest();
let program = "";
let cpuMs = 0;
let unhandled = 0;
/** Where the clock of this thread stood when none of the program's budget was used. */
let unusedMs = 0;

/** Processor time of the one thread that runs guests; `isolate.cpuTime` also counts what others took from it meanwhile. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
const usedMs = (): number => threadMs() - unusedMs;

let readAt = 0;
let readMs = 0;

/** What is left of the budget, at least; the processor's clock is read where the other one leaves a doubt. */
function leftMs(now: number): number {
  if (now - readAt > 1) {
    readMs = usedMs();
    readAt = now;
  }
  return cpuMs - readMs;
}

/** Runs guest code within what is left of its budget; answers how it ended and what isolated-vm threw after it. */
function within(run: (timeout: number) => void): { readonly end: TurnEnd; readonly thrown?: GuestError } {
  const started = performance.now();
  const timeout = Math.max(1, Math.ceil(leftMs(started)));
  try {
    run(timeout);
    return { end: "-" };
  } catch (error) {
    if (guest.isolate.isDisposed) return { end: "memory" };
    const message = error instanceof Error ? error.message : String(error);
    // A guest can throw the same words, but not sooner make the time pass.
    if (message === "Script execution timed out." && performance.now() - started >= timeout - 1) return { end: "cpu" };
    return { end: "-", thrown: described(error) };
  }
}

/** What isolated-vm made of a thrown value: a copy of an error, a primitive, or an error of its own in place of an object. */
function described(thrown: unknown): GuestError {
  if (!(thrown instanceof Error)) return { name: "Thrown", message: String(thrown).slice(0, bounds.messageChars) };
  if (thrown.message.startsWith("An object was thrown from supplied code within isolated-vm")) {
    return { name: "Thrown", message: "an object that is no error" };
  }
  // Below the boundary are frames of this process.
  const [stack = ""] = String(thrown.stack).split("\n    at (<isolated-vm boundary>)");
  return {
    name: String(thrown.name),
    message: thrown.message.slice(0, bounds.messageChars),
    stack: stack.slice(0, bounds.stackChars),
  };
}

/** Sends what the guest left in its outbox; the outbox is taken whatever ended the turn. */
function answer(end: TurnEnd, thrown: readonly GuestError[]): void {
  let lines = "";
  let ended = end;
  if (!guest.isolate.isDisposed) {
    try {
      // It runs no code of the program, so it needs no timeout, which would cost a wake-up of its own.
      lines = guest.take.applySync(undefined, []) as string;
      if (typeof lines !== "string") lines = "";
    } catch {
      if (ended === "-") ended = guest.isolate.isDisposed ? "memory" : "lost";
    }
  }
  // isolated-vm reports a rejection nobody handles as the error of the turn: a hint, never more. It comes first, as the
  // last line may be the program's end.
  const told = thrown.slice(0, maxUnhandled - unhandled).map((error) => `J ${JSON.stringify(error)}`);
  unhandled += told.length;
  lines = [...told, ...(lines === "" ? [] : [lines])].join("\n");
  const count = lines === "" ? 0 : lines.split("\n").length;
  const isUsedUp = ended === "cpu" || guest.isolate.isDisposed;
  const micros = Math.ceil((isUsedUp ? Math.max(cpuMs, usedMs()) : usedMs()) * 1_000);
  writeAll(`O${program} ${micros} ${count} ${ended}\n${lines === "" ? "" : `${lines}\n`}`);
}

function startProgram(message: StartMessage): void {
  program = message.program;
  writeAll(`B${program}\n`);
  unusedMs = threadMs();
  readMs = 0;
  readAt = performance.now();
  cpuMs = message.cpuMs;
  unhandled = 0;
  let syntax: string | undefined;
  const turn = within((timeout) => {
    guest.begin.applySync(undefined, [JSON.stringify(message.header)], { timeout });
    let main: ivm.Reference<unknown>;
    try {
      const script = guest.isolate.compileScriptSync(message.js, { filename: "program.ts" });
      main = script.runSync<{ timeout: number; reference: true }>(guest.context, { timeout, reference: true });
    } catch (error) {
      if (guest.isolate.isDisposed || !(error instanceof SyntaxError)) throw error;
      syntax = JSON.stringify({
        name: error.name,
        message: error.message.slice(0, 2_000),
        stack: String(error.stack).slice(0, 2_000),
      });
      return;
    }
    guest.start.applySync(undefined, [main.derefInto()], { timeout });
  });
  if (syntax === undefined) answer(turn.end, turn.thrown === undefined ? [] : [turn.thrown]);
  else writeAll(`O${program} 0 1 syntax\nE ${syntax}\n`);
}

function settle(count: number, chargedMicros: number): void {
  const lines: string[] = [];
  for (let index = 0; index < count; index += 1) lines.push(readLine());
  unusedMs = threadMs() - chargedMicros / 1_000;
  readMs = chargedMicros / 1_000;
  readAt = performance.now();
  const thrown: GuestError[] = [];
  let end: TurnEnd = "-";
  for (const line of lines) {
    const turn = within((timeout) => guest.step.applySync(undefined, [line], { timeout }));
    if (turn.thrown !== undefined) thrown.push(turn.thrown);
    end = turn.end;
    if (end !== "-") break;
  }
  answer(end, thrown);
}

function ready(): void {
  const message: ReadyMessage = { node: process.version, v8: process.versions.v8, bootstrap };
  writeAll(`R${JSON.stringify(message)}\n`);
}

function renew(): void {
  if (!guest.isolate.isDisposed) guest.isolate.dispose();
  guest = makeGuest();
}

ready();
for (;;) {
  const line = readLine();
  if (line[0] === "P") startProgram(JSON.parse(line.slice(1)) as StartMessage);
  else if (line[0] === "D") {
    const [, count, chargedMicros] = line.split(" ");
    settle(Number(count), Number(chargedMicros));
  } else if (line[0] === "N") {
    renew();
    ready();
  }
}
