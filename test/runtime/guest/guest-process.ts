// Runs guests for the tests: isolated-vm must not be loaded into the process that runs them. JSON lines in, JSON lines out.
import { readFileSync } from "node:fs";
import ivm from "isolated-vm";
import { lineReader } from "../../../src/runtime/lines.ts";

interface Request {
  readonly id: number;
  readonly guest: number;
  readonly open?: { readonly js: string; readonly header: unknown };
  readonly step?: string;
  readonly close?: true;
}

interface Guest {
  readonly isolate: ivm.Isolate;
  readonly step: ivm.Reference;
  readonly take: ivm.Reference;
}

const [bootPath, urlPath] = process.argv.slice(2) as [string, string];
const bootText = `${readFileSync(bootPath, "utf8")}; return guest.boot($0);`;
const urlText = readFileSync(urlPath, "utf8");
const guests = new Map<number, Guest>();

process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.stack}\n`);
});

/** Runs one turn; an unhandled rejection in the guest is thrown here, and its outbox is whole all the same. */
function turn(take: ivm.Reference, run: () => void): { lines: string[]; thrown?: string } {
  let thrown: string | undefined;
  try {
    run();
  } catch (error) {
    thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  const text = take.applySync(undefined, [], { timeout: 2_000 }) as string;
  const lines = text === "" ? [] : text.split("\n");
  return thrown === undefined ? { lines } : { lines, thrown };
}

function open(id: number, request: NonNullable<Request["open"]>): { lines: string[]; thrown?: string } {
  const isolate = new ivm.Isolate({ memoryLimit: 128 });
  const context = isolate.createContextSync();
  const four: ivm.Reference = context.evalClosureSync(bootText, [urlText], {
    result: { reference: true },
    filename: "bootstrap.js",
  });
  const at = (index: number): ivm.Reference => four.getSync(index, { reference: true });
  const [begin, start, step, take] = [at(0), at(1), at(2), at(3)];
  guests.set(id, { isolate, step, take });
  begin.applySync(undefined, [JSON.stringify(request.header)]);
  const script = isolate.compileScriptSync(`(async () => {${request.js}\n})`, { filename: "program.ts" });
  const main: ivm.Reference = script.runSync(context, { reference: true });
  return turn(take, () => void start.applySync(undefined, [main.derefInto()], { timeout: 2_000 }));
}

function answer(request: Request): unknown {
  if (request.open !== undefined) return open(request.guest, request.open);
  const guest = guests.get(request.guest);
  if (guest === undefined) throw new Error(`no guest ${request.guest}`);
  if (request.step !== undefined) {
    const line = request.step;
    return turn(guest.take, () => void guest.step.applySync(undefined, [line], { timeout: 2_000 }));
  }
  guests.delete(request.guest);
  guest.isolate.dispose();
  return { lines: [] };
}

const reader = lineReader(Number.MAX_SAFE_INTEGER, (line) => {
  const request = JSON.parse(line) as Request;
  let reply: unknown;
  try {
    reply = answer(request);
  } catch (error) {
    reply = { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.stdout.write(`${JSON.stringify({ id: request.id, reply })}\n`);
});
process.stdin.on("data", (chunk: Buffer) => reader.push(chunk));
