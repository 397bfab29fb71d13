import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import type { Script } from "./compiler-protocol.ts";
import { assemble, originOf } from "./edits.ts";
import { lineStarts, offsetAt, type Position, positionAt } from "./positions.ts";

/** From a place in the compiled script to the model's text; `undefined` for what the model did not write. */
export type Locate = (line: number, column: number) => Position | undefined;

/** Costs nothing until a place is asked for. */
export function locator(source: string, script: Script): Locate {
  let prepared: ReturnType<typeof prepare> | undefined;
  function prepare(): {
    map: TraceMap | undefined;
    planned: ReturnType<typeof assemble>;
    plannedStarts: readonly number[];
    starts: readonly number[];
  } {
    const planned = assemble(source, script.plan);
    return {
      map: script.map === undefined ? undefined : new TraceMap(script.map),
      planned,
      plannedStarts: lineStarts(planned.text),
      starts: lineStarts(source),
    };
  }
  return (line, column) => {
    prepared ??= prepare();
    const { map, planned, plannedStarts, starts } = prepared;
    let place: Position | undefined = { line, column };
    if (map !== undefined) {
      const shifted = line === 1 ? column - script.shift : column;
      if (shifted < 1) return undefined;
      const original = originalPositionFor(map, { line, column: shifted - 1 });
      place = original.line === null ? undefined : { line: original.line, column: original.column + 1 };
    }
    const offset = place === undefined ? undefined : offsetAt(plannedStarts, place);
    const origin = offset === undefined ? undefined : originOf(planned, script.plan, offset);
    return origin === undefined ? undefined : positionAt(starts, origin);
  };
}
