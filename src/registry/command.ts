import { Fault } from "../errors.ts";
import { isObject } from "../is-object.ts";
import type { JsonValue } from "../json.ts";
import { checkOptions, checkText, describe } from "../options.ts";

/** Arguments that calls must have, by the name of the tool. */
export type Pins = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

/** What a typed command brings: names of tools, or globs. */
export interface CommandSet {
  readonly tools: readonly string[];
  /** Calls of these tools with other arguments are refused for the turn. */
  readonly pins?: Pins;
  /** Not found by a search of the turn. */
  readonly withhold?: readonly string[];
}

/** Holds where one of its flags is typed, or a path or a question where it speaks of them; what is typed reaches to the next command. */
export interface CommandCase extends CommandSet {
  /** With their dashes: `--lint`. */
  readonly flags?: readonly string[];
  readonly path?: boolean;
  readonly question?: boolean;
}

export interface CommandOptions extends CommandSet {
  /** Without the slash; case does not count. */
  readonly name: string;
  /** The first that holds stands in place of the command's own set. */
  readonly cases?: readonly CommandCase[];
  /** Tools whose pins it lifts, whatever command set them. */
  readonly lifts?: readonly string[];
}

export interface Command {
  readonly name: string;
  readonly lifts: readonly string[];
  readonly set: Required<CommandSet>;
  readonly cases: readonly Required<CommandCase>[];
}

const setKinds = { tools: "texts", pins: "object", withhold: "texts" } as const;

/** A checked and frozen copy; throws `invalid_options`. */
export function readCommand(given: CommandOptions): Command {
  checkOptions("scope.command", given ?? null, { ...setKinds, name: "text", cases: "anything", lifts: "texts" });
  checkText("the name of a command", given.name);
  if (!/^[A-Za-z][\w-]*$/.test(given.name)) {
    const message = `the name of a command is of letters, digits, _ and -, without the slash, got ${describe(given.name)}`;
    throw new Fault("invalid_options", message);
  }
  const what = `command "/${given.name}"`;
  const { cases = [], lifts = [] } = given;
  if (!Array.isArray(cases))
    throw new Fault("invalid_options", `${what}: cases must be an array, got ${describe(cases)}`);
  return Object.freeze<Command>({
    name: given.name.toLowerCase(),
    lifts: Object.freeze([...lifts]),
    set: readSet(what, given),
    cases: Object.freeze(
      (cases as readonly CommandCase[]).map((one, index) => readCase(`${what}, case ${index + 1}`, one)),
    ),
  });
}

function readCase(what: string, given: CommandCase): Command["cases"][number] {
  checkOptions(what, given ?? null, { ...setKinds, flags: "texts", path: "flag", question: "flag" });
  const { flags = [], path = false, question = false } = given;
  const wrong = flags.find((flag) => !/^--[\w-]+$/.test(flag));
  if (wrong !== undefined)
    throw new Fault("invalid_options", `${what}: a flag is written as --name, got ${describe(wrong)}`);
  if (flags.length === 0 && !path && !question) {
    throw new Fault("invalid_options", `${what} needs flags, path or question, or it would never hold`);
  }
  return Object.freeze({ ...readSet(what, given), flags: flags.map((flag) => flag.toLowerCase()), path, question });
}

function readSet(what: string, { tools, pins = {}, withhold = [] }: CommandSet): Required<CommandSet> {
  if (tools === undefined) throw new Fault("invalid_options", `${what} needs tools, an array of names`);
  for (const [tool, args] of Object.entries(pins)) {
    if (isObject(args)) continue;
    throw new Fault(
      "invalid_options",
      `${what}: pins of "${tool}" must be an object of arguments, got ${describe(args)}`,
    );
  }
  return Object.freeze({
    tools: Object.freeze([...tools]),
    pins: Object.freeze({ ...pins }),
    withhold: Object.freeze([...withhold]),
  });
}
