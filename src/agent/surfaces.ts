import type { RunHeader, RunLog } from "../bridge/journal.ts";
import { type LeanTask, type LeanTurn, openLeanTurn, type Told } from "../lean/lean-turn.ts";
import { bindingLine } from "../lean/lines.ts";
import type { Memory } from "../lean/memory.ts";
import type { Composed } from "../registry/composition.ts";
import type { Surface } from "../registry/surface.ts";

/** The surfaces of one turn. */
export interface Surfaces {
  /** What a request built now shows. */
  current(): Surface;
  /** All that there is to be found. */
  all(): Surface;
  readonly withholds: (name: string) => boolean;
  /** What the calls of a step see of a surface. */
  forStep(kind: RunHeader["kind"], surface: Surface, log: RunLog): Surface;
  readonly tell: (surface: Surface, name: string, json: string) => Told | undefined;
  /** Why the next request should permit no tool. */
  readonly ended: string | undefined;
}

type TurnTask = Omit<Partial<LeanTask>, "number" | "roots"> &
  Pick<LeanTask, "number"> & { readonly workspace?: string | undefined };

export function openSurfaces(composed: Composed<unknown>, memory: Memory, task: TurnTask): Surfaces {
  const { lean, form, logger, roots } = composed;
  if (lean === undefined) return whole(composed);
  const { number, text = "", activity, workingFolder, workspace } = task;
  const turn = openLeanTurn(() => composed.surface(), lean, memory, {
    form,
    number,
    text,
    activity,
    workingFolder,
    roots: workspace === undefined ? roots : [workspace, ...roots],
  });
  const { bound } = turn.surface();
  if (bound !== undefined) logger.info?.(bindingLine(bound, turn.total));
  return {
    current: () => turn.surface(),
    all: () => composed.surface(),
    withholds: turn.withholds,
    forStep: (kind, surface, log) => stepSurface(turn, kind, surface, log),
    tell: (surface, name, json) => turn.tell(surface, name, json),
    get ended() {
      return turn.ended;
    },
  };
}

function stepSurface(turn: LeanTurn, kind: RunHeader["kind"], surface: Surface, log: RunLog): Surface {
  if (kind === "program") return turn.forProgram(surface, log);
  return kind === "dispatch" ? turn.forModel(surface) : turn.forHost(surface);
}

/** Every visible tool is shown and can be called. */
const whole = (composed: Composed<unknown>): Surfaces => ({
  current: () => composed.surface(),
  all: () => composed.surface(),
  withholds: () => false,
  forStep: (_kind, surface) => surface,
  tell: () => undefined,
  ended: undefined,
});
