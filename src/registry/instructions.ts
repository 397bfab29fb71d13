// What the prompt is made of, as each scope registered it. A part is found by its kind and name; the nearest scope wins,
// and takes the place that the name has in the widest scope that registered it.

/** The request that instructions are assembled for. */
export interface PromptRequest {
  readonly model: string | undefined;
  readonly workingFolder: string | undefined;
  /** What the user wrote. */
  readonly text: string | undefined;
  readonly activity: string | undefined;
  readonly tenant: string;
  readonly identity: unknown;
  /** Ids of the session, and the number of the turn in it. */
  readonly session: string;
  readonly turn: number;
  readonly signal: AbortSignal;
}

type Later<T> = T | Promise<T>;

/** Text, or what gives it for a request; `undefined` stands for none this time. */
export type PromptText = string | ((request: PromptRequest) => Later<string | undefined>);

export interface Section {
  readonly name: string;
  /** Its placement; the assembly refuses what is no finite number. */
  readonly order: number;
  readonly text: PromptText;
  /** Whether it replaces the whole prompt. */
  readonly complete: boolean;
  /** Whether variables in it are filled in. */
  readonly fill: boolean;
}

export interface Context {
  readonly name: string;
  readonly text: PromptText;
}

export interface Variable {
  readonly name: string;
  readonly value: PromptText;
}

/** Variables that every request brings with it; no scope can register them. */
export const suppliedVariables: readonly string[] = Object.freeze(["model", "working_folder"]);

/** The entry of a named order that stands for all tools which the order does not list; no tool has this name. */
export const unlistedTools = "<unlisted-tools>";

/** A piece of the persona, at the beginning or at the end of the prompt. */
export interface Piece {
  readonly name: string;
  readonly text: string;
}

/** A section as adjusters see it, its text settled, and as they may return it; variables are filled in unless `fill` is false. */
export interface AdjustedSection {
  readonly name: string;
  readonly order: number;
  readonly text: string;
  readonly fill?: boolean;
}

/** Returns the sections to use; `undefined` leaves them as they are. */
export type Adjust = (
  sections: readonly AdjustedSection[],
  request: PromptRequest,
) => Later<readonly AdjustedSection[] | undefined>;

export interface Adjuster {
  readonly name: string;
  readonly adjust: Adjust;
}

/** A part with the name of the scope that it was registered in, and how deep that is: 0 is the deployment. */
export type Placed<T> = T & { readonly scope: string; readonly depth: number };

/** All that a prompt is made of but the tools, frozen; nearest scopes already won. */
export interface Instructions {
  /** In no order that means anything. */
  readonly sections: readonly Placed<Section>[];
  /** Outermost scope first, then in order of registration; so are the pieces of the persona and the adjusters. */
  readonly contexts: readonly Placed<Context>[];
  /** Who switched the runtime context off: the deployment, for everyone, or a scope in force here. */
  readonly contextOff: "no" | "scope" | "deployment";
  readonly variables: ReadonlyMap<string, Placed<Variable>>;
  readonly prefix: readonly Placed<Piece>[];
  readonly suffix: readonly Placed<Piece>[];
  /** Absent where no line says who the agent is. */
  readonly identity: string | undefined;
  readonly adjusters: readonly Placed<Adjuster>[];
  /** The named order of tools, unchecked. */
  readonly toolOrder: readonly string[] | undefined;
}

interface Kinds {
  section: Section;
  context: Context;
  variable: Variable;
  prefix: Piece;
  suffix: Piece;
  adjuster: Adjuster;
  identity: string | boolean;
  toolOrder: readonly string[];
  contextSwitch: false;
}

/** The parts of one scope: by name, or by an object of its own where a part has no name. */
export type InstructionStore = { readonly [K in keyof Kinds]: Map<unknown, Kinds[K]> };

export const makeInstructionStore = (): InstructionStore => ({
  section: new Map(),
  context: new Map(),
  variable: new Map(),
  prefix: new Map(),
  suffix: new Map(),
  adjuster: new Map(),
  identity: new Map(),
  toolOrder: new Map(),
  contextSwitch: new Map(),
});

/** What holds instructions: a layer, outermost first in a list of them. */
interface Holder {
  readonly name: string;
  readonly instructions: InstructionStore;
}

/** What the scopes say together; `wording` is the deployment's line for an identity that is only switched on. */
export function readInstructions(holders: readonly Holder[], wording: string): Instructions {
  function nearest<T extends object>(kind: (store: InstructionStore) => ReadonlyMap<unknown, T>): readonly Placed<T>[] {
    const parts = new Map<unknown, Placed<T>>();
    for (const [depth, { name: scope, instructions }] of holders.entries()) {
      for (const [key, part] of kind(instructions)) parts.set(key, Object.freeze({ ...part, scope, depth }));
    }
    return Object.freeze([...parts.values()]);
  }
  const last = <K extends "identity" | "toolOrder">(kind: K): Kinds[K] | undefined =>
    holders.flatMap(({ instructions }) => [...instructions[kind].values()]).at(-1);
  const off = holders.findIndex(({ instructions }) => instructions.contextSwitch.size > 0);
  const identity = last("identity");
  return Object.freeze<Instructions>({
    sections: nearest(({ section }) => section),
    contexts: nearest(({ context }) => context),
    contextOff: off < 0 ? "no" : off === 0 ? "deployment" : "scope",
    variables: new Map(nearest(({ variable }) => variable).map((variable) => [variable.name, variable])),
    prefix: nearest(({ prefix }) => prefix),
    suffix: nearest(({ suffix }) => suffix),
    identity: identity === true ? wording : identity === false ? undefined : identity,
    adjusters: Object.freeze(
      holders.flatMap(({ name: scope, instructions }, depth) =>
        [...instructions.adjuster.values()].map((adjuster) => Object.freeze({ ...adjuster, scope, depth })),
      ),
    ),
    toolOrder: last("toolOrder"),
  });
}
