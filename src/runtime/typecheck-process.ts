// The process that owns TypeScript. Its texts may hang it or use up its memory: the host limits its time and kills it.
import { Socket } from "node:net";
import { bounds } from "../limits.ts";
import { type CheckAnswer, type CheckRequest, type Declared, readCheckRequest } from "./check/protocol.ts";
import { type ClosedSets, findFaults, type Found } from "./check/find.ts";
import type { Finding } from "./check/findings.ts";
import { openRooms, warmUp } from "./check/rooms.ts";
import { assemble, originOf } from "./edits.ts";
import { lineReader } from "./lines.ts";
import { lineStarts, positionAt } from "./positions.ts";
import { prepare } from "./program.ts";

interface Surface {
  readonly text: string;
  readonly closed: ClosedSets;
}

const pipe = new Socket({ fd: 3, readable: true, writable: true });
const fail = (): never => process.exit(1);
// Its only child is TypeScript, whose end nothing else tells of.
if (process.platform !== "win32") {
  process.once("SIGCHLD", () => {
    process.stderr.write("Error: TypeScript ended by itself\n");
    fail();
  });
}
const rooms = openRooms();
const surfaces = new Map<string, Surface>();

function surfaceOf({ text, closedArguments, closedResults }: Declared): Surface {
  const tools = Object.entries(closedArguments).map(([tool, shapes]) => [tool, new Set(shapes)] as const);
  return { text, closed: { arguments: new Map(tools), results: new Set(closedResults) } };
}

async function check(source: string, key: string, surface: Surface): Promise<readonly Finding[]> {
  const prepared = prepare(source);
  // What is no program is refused by the compiler.
  if (!prepared.ok) return [];
  const { text, plan } = prepared;
  const found = await rooms.with(key, surface.text, text, (project, { file, declarations }) =>
    findFaults({ project, file, text, declarations, closed: surface.closed }),
  );
  if (found.length === 0) return [];
  const assembled = assemble(source, plan);
  const starts = lineStarts(source);
  return found.flatMap(({ fact, offset }: Found): readonly Finding[] => {
    const origin = originOf(assembled, plan, offset);
    return origin === undefined ? [] : [{ ...positionAt(starts, origin), ...fact }];
  });
}

async function answer(request: CheckRequest): Promise<void> {
  const { id, source, surface, declared, forget } = request;
  if (forget !== undefined) surfaces.delete(forget);
  if (declared !== undefined) surfaces.set(surface, surfaceOf(declared));
  const known = surfaces.get(surface);
  if (known === undefined) return fail();
  const full: CheckAnswer = { id, findings: await check(source, surface, known) };
  pipe.write(`${JSON.stringify(full)}\n`);
}

// What the first check costs is paid before the first program comes, in the tree, the types and the rooms.
const nobody = surfaceOf({
  text: 'declare const tools: { warm(args: { up: string }): Promise<{ is: "warm" }> };',
  closedArguments: {},
  closedResults: [],
});
await check('const given = await tools.warm({ up: 1 });\nreturn given["as"];', warmUp, nobody);
pipe.write('{"ready":true}\n');

const reader = lineReader(bounds.frameBytes, (line) => {
  answer(readCheckRequest(line)).catch(fail);
});
pipe.on("data", (chunk: Uint8Array) => {
  if (!reader.push(chunk)) fail();
});
pipe.on("end", () => process.exit(0));
pipe.on("error", fail);
