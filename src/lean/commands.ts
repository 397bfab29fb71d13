// What a user typed: slash commands as whole tokens, each with the text up to the next one.
import type { JsonValue } from "../json.ts";
import type { Command, CommandCase, CommandSet } from "../registry/command.ts";

export interface Pin {
  readonly tool: string;
  readonly argument: string;
  readonly value: JsonValue;
  /** The command that set it, and those that would lift it. */
  readonly by: string;
  readonly liftedBy: readonly string[];
}

/** What the commands of a message bring, names and globs in the order typed. */
export interface Typed {
  readonly tools: readonly string[];
  readonly withheld: readonly string[];
  readonly pins: readonly Pin[];
}

interface Segment {
  readonly command: Command;
  readonly tokens: string[];
}

/** What is longer is neither a command nor a flag nor a path that anybody typed. */
const tokenChars = 1_000;
/** `</name>` closes an element of pasted markup, and nobody types it. */
const slash = /^[([{]*\/([A-Za-z][\w-]*)[)\]}>.,;:!?…]*$/;
const before = "([{<\"'`";
const after = ")]}>\"'`.,;:!…";
const path = /^(?:[A-Za-z]:[\\/]|~?\/|\.{1,2}\/)[^\s]+$|^[\w.-]+(?:\/[\w.-]+){2,}\/?$|^[\w.-]+\/[\w-]+\.\w+$/;

export function readCommands(text: string, commands: ReadonlyMap<string, Command>): Typed {
  const segments = segmentsOf(text, commands);
  const typed = new Set(segments.map(({ command }) => command));
  const sets = segments.map((segment) => ({ command: segment.command, set: setOf(segment) }));
  const lifted = new Set([...typed].flatMap(({ lifts }) => lifts));
  return {
    tools: sets.flatMap(({ set }) => set.tools),
    withheld: sets.flatMap(({ set }) => set.withhold),
    pins: sets.flatMap(({ command, set }) => pinsOf(command, set, commands)).filter(({ tool }) => !lifted.has(tool)),
  };
}

function segmentsOf(text: string, commands: ReadonlyMap<string, Command>): readonly Segment[] {
  const segments: Segment[] = [];
  for (const token of text.split(/\s+/)) {
    if (token.length > tokenChars) continue;
    const command = commands.get(slash.exec(token)?.[1]?.toLowerCase() ?? "");
    if (command === undefined) segments.at(-1)?.tokens.push(token);
    else segments.push({ command, tokens: [] });
  }
  return segments;
}

/** Without quotes, brackets and punctuation around it. */
function bareToken(token: string): string {
  let from = 0;
  let to = token.length;
  while (from < to && before.includes(token.charAt(from))) from += 1;
  while (to > from && after.includes(token.charAt(to - 1))) to -= 1;
  return token.slice(from, to);
}

function setOf({ command, tokens }: Segment): Required<CommandSet> {
  const bare = tokens.map(bareToken);
  const flags = new Set(bare.flatMap((token) => /^--[\w-]+(?==|$)/.exec(token)?.[0].toLowerCase() ?? []));
  const says = {
    path: bare.some((token) => path.test(token.replace(/\?+$/, ""))),
    question: bare.some((token) => token.endsWith("?")),
  };
  const holds = (one: Required<CommandCase>): boolean =>
    one.flags.some((flag) => flags.has(flag)) || (one.path && says.path) || (one.question && says.question);
  return command.cases.find(holds) ?? command.set;
}

function pinsOf(
  command: Command,
  { pins }: Required<CommandSet>,
  commands: ReadonlyMap<string, Command>,
): readonly Pin[] {
  return Object.entries(pins).flatMap(([tool, args]) => {
    const liftedBy = [...commands.values()].filter(({ lifts }) => lifts.includes(tool)).map(({ name }) => `/${name}`);
    return Object.entries(args).map(([argument, value]) => ({
      tool,
      argument,
      value,
      by: `/${command.name}`,
      liftedBy,
    }));
  });
}
