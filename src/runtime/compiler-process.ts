// The process that owns the parser and esbuild. Its texts may hang or kill either: the host limits its time and kills it.
import { Socket } from "node:net";
import { Script as VmScript } from "node:vm";
import { bounds } from "../limits.ts";
import { type CompileAnswer, type CompileRejection, readCompileRequest, type Script } from "./compiler-protocol.ts";
import { erase } from "./erase.ts";
import { lineReader } from "./lines.ts";
import { locator } from "./locate.ts";
import { lineStarts, type Position, positionAt } from "./positions.ts";
import { type Prepared, prepare } from "./program.ts";

type Answer =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly rejection: CompileRejection };

const moduleStart = '(async () => {"use strict";';

const reject = (message: string, place: Position | undefined): Answer => ({
  ok: false,
  rejection: { code: "syntax_error", message, ...place },
});

/** The script of an erased text: as a module's top it still wants its function and its returns. */
function scriptOf(prepared: Prepared, js: string, map: string): Script {
  const { plan } = prepared;
  if (prepared.erase !== "module") return { js: js.replace(/;\s*$/, ""), plan, map, shift: 0 };
  const body = js.replaceAll(`throw ${prepared.mark}`, "return void 0");
  return { js: `${moduleStart}${body}\n})`, plan, map, shift: moduleStart.length };
}

/** What V8 alone refuses, such as a faulty regular expression. */
function refusedByV8(source: string, script: Script): Answer | undefined {
  try {
    void new VmScript(script.js, { filename: "program.ts" });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof RangeError) return reject("the program is nested too deeply", undefined);
    if (!(thrown instanceof SyntaxError)) throw thrown;
    // The stack opens with the place: `program.ts:<line>`, the line's text, and carets below it.
    const [head, , carets] = (thrown.stack ?? "").split("\n");
    const line = Number(/^program\.ts:(\d+)$/.exec(head ?? "")?.[1] ?? 1);
    const column = (carets ?? "").indexOf("^") + 1;
    return reject(thrown.message, locator(source, script)(line, Math.max(1, column)));
  }
}

async function compile(source: string): Promise<Answer> {
  const prepared = prepare(source);
  if (!prepared.ok) {
    const { code, message, hint, offset } = prepared;
    const place = offset === undefined ? undefined : positionAt(lineStarts(source), offset);
    return { ok: false, rejection: { code, message, ...(hint === undefined ? {} : { hint }), ...place } };
  }
  let script: Script = { js: prepared.text, plan: prepared.plan, shift: 0 };
  if (prepared.erase !== "no") {
    const erased = await erase(prepared.text);
    if (!erased.ok) return reject(erased.message, locator(source, script)(erased.line, erased.column));
    script = scriptOf(prepared, erased.js, erased.map);
  }
  return refusedByV8(source, script) ?? { ok: true, script };
}

const pipe = new Socket({ fd: 3, readable: true, writable: true });
const fail = (): never => process.exit(1);

// `bounds.compileMs` runs from here on, so nothing may be left to load when the first text comes.
await compile("enum Warm { up } const n: Warm = Warm.up; return n");
pipe.write('{"ready":true}\n');

async function answer(line: string): Promise<void> {
  const request = readCompileRequest(line);
  if (request === undefined) return fail();
  const full: CompileAnswer = { id: request.id, ...(await compile(request.source)) };
  pipe.write(`${JSON.stringify(full)}\n`);
}

const reader = lineReader(bounds.frameBytes, (line) => {
  answer(line).catch(fail);
});
pipe.on("data", (chunk: Uint8Array) => {
  if (!reader.push(chunk)) fail();
});
pipe.on("end", () => process.exit(0));
pipe.on("error", fail);
