import { bounds } from "../limits.ts";
import { describe } from "../options.ts";
import type { AdjustedSection, Adjuster, Placed, PromptRequest } from "../registry/instructions.ts";
import { ask } from "./ask.ts";
import { inOrder } from "./sections.ts";

export type SettledSection = Required<AdjustedSection>;

/** What the adjusters make of the ordered sections, one after another, each seeing them in order. */
export async function adjusted(
  sections: readonly SettledSection[],
  adjusters: readonly Placed<Adjuster>[],
  request: PromptRequest,
): Promise<readonly SettledSection[]> {
  let current = sections;
  for (const { name, scope, adjust } of adjusters) {
    const shown = Object.freeze([...current]);
    const returned = await ask(`prompt adjuster "${name}" of scope "${scope}"`, request.signal, async () =>
      read(await adjust(shown, request)),
    );
    if (returned !== undefined) current = inOrder(returned);
  }
  return current;
}

/** Takes over what an adjuster returned, each property once; what is wrong with it throws. */
function read(given: unknown): readonly SettledSection[] | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw new TypeError(`it must return an array of sections, got ${describe(given)}`);
  const { length } = given;
  if (!(length <= bounds.sections)) throw new TypeError(`it returned more than ${bounds.sections} sections`);
  const taken = new Map<string, SettledSection>();
  for (let index = 0; index < length; index += 1) {
    const section = readSection(given[index]);
    if (taken.has(section.name)) throw new TypeError(`it returned two sections "${section.name}"`);
    taken.set(section.name, section);
  }
  return [...taken.values()];
}

function readSection(given: unknown): SettledSection {
  if (typeof given !== "object" || given === null) throw new TypeError(`it returned ${describe(given)} as a section`);
  const { name, order, text, fill = true, complete } = given as Partial<Record<string, unknown>>;
  if (typeof name !== "string" || name === "") throw new TypeError("it returned a section without a name");
  if (typeof text !== "string") throw new TypeError(`the text of its section "${name}" is ${describe(text)}, not text`);
  if (typeof fill !== "boolean")
    throw new TypeError(`fill of its section "${name}" is ${describe(fill)}, not true or false`);
  if (complete === true) throw new TypeError(`its section "${name}" claims the whole prompt, which no adjuster can`);
  return Object.freeze({ name, order: order as number, text, fill });
}
