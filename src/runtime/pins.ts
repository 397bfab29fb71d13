// What a program's course depends on beside the outcomes of its calls: drawn once, told to the guest and kept in the journal.
import type { ProgramPins } from "../bridge/journal.ts";
import { bounds, type Limits } from "../limits.ts";
import type { OfferedTool } from "../registry/surface.ts";
import type { Compiled } from "./compiled.ts";
import type { GuestHeader, ReadyMessage } from "./protocol.ts";

const limitsOf = (limits: Readonly<Record<string, number>>): GuestHeader["limits"] => ({
  calls: limits.calls ?? 0,
  argumentBytes: limits.argumentBytes ?? 0,
  consoleBytes: limits.consoleBytes ?? 0,
  returnBytes: limits.returnBytes ?? 0,
  stateBytes: limits.stateBytes ?? 0,
  transferBytes: bounds.transferBytes,
  timers: bounds.timers,
});

/** What the guest was told when the run began. */
export const guestHeader = ({ tools, seed, startedAt, limits, state = "{}" }: ProgramPins): GuestHeader => ({
  tools,
  seed: seed as unknown as GuestHeader["seed"],
  now: startedAt,
  state,
  limits: limitsOf(limits),
});

export function headerOf(offered: readonly OfferedTool[], limits: Limits, state: string): GuestHeader {
  const seed = crypto.getRandomValues(new Uint32Array(4));
  return {
    tools: offered.map(({ name, alias }) => (alias === undefined ? { name } : { name, alias })),
    seed: [...seed] as unknown as GuestHeader["seed"],
    now: Date.now(),
    state,
    limits: limitsOf(limits),
  };
}

export const pinsOf = (
  { source, script: { js, ...map } }: Compiled,
  header: GuestHeader,
  limits: Limits,
  engine: ReadyMessage,
): ProgramPins => ({
  js,
  source,
  map,
  seed: header.seed,
  startedAt: header.now,
  tools: header.tools,
  ...(header.state === "{}" ? {} : { state: header.state }),
  limits,
  engine,
});
