import { Fault } from "../errors.ts";
import { checkGiven, checkText, describe } from "../options.ts";
import {
  type Adjust,
  type Instructions,
  type InstructionStore,
  type PromptText,
  suppliedVariables,
} from "./instructions.ts";
import type { Registrar } from "./registrar.ts";

export interface SectionOptions {
  readonly name: string;
  /** Sections are rendered in ascending order, those of equal order by name. */
  readonly order: number;
  readonly text: PromptText;
  /** Replaces the whole prompt by this text; false unless given. */
  readonly complete?: boolean;
  /** Fills in `{{variables}}`; true unless given. */
  readonly fill?: boolean;
}

export interface PersonaOptions {
  /** Right after the identity line. */
  readonly prefix?: string;
  /** After everything else. */
  readonly suffix?: string;
  /** Of the pieces; "prefix" and "suffix" unless given. A narrower scope replaces a piece of the same name. */
  readonly name?: string;
}

/**
 * How a scope says what its agents are told. Each part holds for the scope and those below it, where a part of the same
 * name replaces it; twice in one scope is refused with `duplicate_section` or `duplicate_instruction`.
 */
export interface Instructing {
  section(section: SectionOptions): Disposable;
  /** Feeds the runtime context, a snapshot taken for each request. */
  context(context: { readonly name: string; readonly text: PromptText }): Disposable;
  /** Leaves the runtime context out until it is disposed; off in the deployment is off everywhere, and no feeder runs. */
  runtimeContext(on: false): Disposable;
  /** What `{{name}}` stands for; a name is of lowercase letters, digits and _ and begins with a letter. */
  variable(name: string, value: PromptText): Disposable;
  persona(persona: PersonaOptions): Disposable;
  /** The first line of the prompt: one's own, the deployment's wording, or none. */
  identity(line: string | boolean): Disposable;
  /** Has a say in the ordered sections of each assembly: outermost scope first, then in order of registration. */
  adjust(adjust: Adjust): Disposable;
  adjust(name: string, adjust: Adjust): Disposable;
  /** The order of the tool descriptions; `<unlisted-tools>` stands for the tools that it does not list. */
  toolOrder(names: readonly string[]): Disposable;
}

type Kind = keyof InstructionStore;
type Part<K extends Kind> = InstructionStore[K] extends Map<unknown, infer T> ? T : never;

export function makeInstructing({ layer, live, change }: Registrar): Instructing {
  const { name: scope, instructions } = layer;

  function refuseTwice(kind: Kind, key: unknown, what: string): void {
    if (!instructions[kind].has(key)) return;
    const hint =
      kind === "adjuster"
        ? "give it another name, or dispose the one that is there first"
        : "dispose the one that is there first, or register this one in a narrower scope, where it replaces the other";
    const details = { scope, kind, ...(typeof key === "string" ? { name: key } : {}) };
    if (kind === "section") {
      const message = `prompt section "${String(key)}" is already registered${layer.parent === undefined ? "" : " in this scope"}`;
      throw new Fault("duplicate_section", message, { hint, details });
    }
    throw new Fault("duplicate_instruction", `scope "${scope}" already has ${what}`, { hint, details });
  }

  function place<K extends Kind>(kind: K, key: unknown, part: Part<K>, what: string): Disposable {
    refuseTwice(kind, key, what);
    const parts = instructions[kind] as Map<unknown, Part<K>>;
    return change(
      "instructions",
      () => parts.set(key, part),
      () => parts.delete(key),
    );
  }

  return {
    section(given) {
      live("a section");
      checkGiven("scope.section", given, {
        name: "text",
        order: "anything",
        text: "anything",
        complete: "flag",
        fill: "flag",
      });
      const { name, order, text, complete = false, fill = true } = given;
      checkText("the name of a section", name);
      checkPromptText(`section "${name}": text`, text);
      return place("section", name, { name, order, text, complete, fill }, `a section "${name}"`);
    },
    context(given) {
      live("a context");
      checkGiven("scope.context", given, { name: "text", text: "anything" });
      const { name, text } = given;
      checkText("the name of a context", name);
      checkPromptText(`context "${name}": text`, text);
      return place("context", name, { name, text }, `a context "${name}"`);
    },
    runtimeContext(on) {
      live("a switch of the runtime context");
      if ((on as unknown) !== false) {
        throw new Fault("invalid_options", `scope.runtimeContext takes false alone, got ${describe(on)}`, {
          hint: "dispose what runtimeContext(false) returned to have the context back",
        });
      }
      return place("contextSwitch", {}, false, "a switch of the runtime context");
    },
    variable(name, value) {
      live("a variable");
      checkVariableName(name);
      checkPromptText(`variable "${name}": value`, value);
      return place("variable", name, { name, value }, `a variable "${name}"`);
    },
    persona(given) {
      live("a persona");
      checkGiven("scope.persona", given, { prefix: "text", suffix: "text", name: "text" });
      const { prefix, suffix, name } = given;
      if (name !== undefined) checkText("the name of a persona", name);
      const pieces = (["prefix", "suffix"] as const).flatMap((kind) => {
        const text = kind === "prefix" ? prefix : suffix;
        return text === undefined ? [] : [{ kind, piece: { name: name ?? kind, text } }];
      });
      if (pieces.length === 0) throw new Fault("invalid_options", "scope.persona needs a prefix, a suffix or both");
      for (const { kind, piece } of pieces) refuseTwice(kind, piece.name, `a persona ${kind} "${piece.name}"`);
      const placed = pieces.map(({ kind, piece }) =>
        place(kind, piece.name, piece, `a persona ${kind} "${piece.name}"`),
      );
      return { [Symbol.dispose]: () => placed.forEach((one) => one[Symbol.dispose]()) };
    },
    identity(line) {
      live("an identity");
      if (typeof line !== "boolean") checkIdentity("the identity", line);
      return place("identity", "", line, "an identity");
    },
    adjust(...given: [Adjust] | [string, Adjust]) {
      live("an adjuster");
      const [name, adjust] = given.length === 1 ? [undefined, given[0]] : given;
      if (name !== undefined) checkText("the name of an adjuster", name);
      const called = name ?? "unnamed";
      if (typeof adjust !== "function") throw new Fault("invalid_options", `adjuster "${called}" must be a function`);
      return place("adjuster", name ?? {}, { name: called, adjust }, `an adjuster "${called}"`);
    },
    toolOrder(names) {
      live("an order of tools");
      if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
        throw new Fault("invalid_options", `scope.toolOrder takes an array of texts, got ${describe(names)}`);
      return place("toolOrder", "", Object.freeze([...names]), "an order of tools");
    },
  };
}

/** Throws `invalid_options` unless it is one line of text. */
export function checkIdentity(what: string, line: unknown): asserts line is NonNullable<Instructions["identity"]> {
  checkText(what, line);
  if (/[\r\n\u2028\u2029]/.test(line as string))
    throw new Fault("invalid_options", `${what} must be one line, got ${describe(line)}`);
}

function checkPromptText(what: string, value: unknown): void {
  if (typeof value !== "string" && typeof value !== "function")
    throw new Fault("invalid_options", `${what} must be text or a function that gives it, got ${describe(value)}`);
}

function checkVariableName(name: unknown): void {
  checkText("the name of a variable", name);
  if (!/^[a-z][a-z0-9_]*$/.test(name as string)) {
    throw new Fault(
      "invalid_options",
      `the name of a variable must be of lowercase letters, digits and _ and begin with a letter, got ${describe(name)}`,
    );
  }
  if (suppliedVariables.includes(name as string))
    throw new Fault("reserved_name", `variable "${String(name)}" comes with every request`);
}
