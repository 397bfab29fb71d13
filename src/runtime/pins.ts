// What a program's course depends on beside the outcomes of its calls: drawn once, told to the guest and kept in the journal.
import type { ProgramPins } from "../bridge/journal.ts";
import { bounds, type Limits } from "../limits.ts";
import type { OfferedTool } from "../registry/surface.ts";
import type { GuestHeader, ReadyMessage } from "./protocol.ts";

export function headerOf(offered: readonly OfferedTool[], limits: Limits): GuestHeader {
  const seed = crypto.getRandomValues(new Uint32Array(4));
  return {
    tools: offered.map(({ name, alias }) => (alias === undefined ? { name } : { name, alias })),
    seed: [...seed] as unknown as GuestHeader["seed"],
    now: Date.now(),
    limits: {
      calls: limits.calls,
      argumentBytes: limits.argumentBytes,
      consoleBytes: limits.consoleBytes,
      returnBytes: limits.returnBytes,
      transferBytes: bounds.transferBytes,
      timers: bounds.timers,
    },
  };
}

export const pinsOf = (js: string, header: GuestHeader, limits: Limits, engine: ReadyMessage): ProgramPins => ({
  js,
  seed: header.seed,
  startedAt: header.now,
  tools: header.tools,
  limits,
  engine,
});
