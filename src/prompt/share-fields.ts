// Catalogues repeat parameters word for word in tool after tool. Those that the same tools have are written once, as a
// named type that these tools intersect with their own parameters.
import { hashText, pascalCase } from "./type-name.ts";
import type { FieldText } from "./print-type.ts";

/** A named type of parameters that several tools share. */
export interface SharedFields {
  readonly name: string;
  /** `type Name = {…};` */
  readonly text: string;
  readonly lines: readonly string[];
}

/** Fewer tools than this keep their own text, so that a tool that goes seldom changes another's. */
const minTools = 5;
/** What a name is worth: shorter parameters are read faster where they stand. */
const minChars = 100;
/** What stands around a name where it is declared or used. */
const frameChars = 16;

/** The parameters that are worth a name, by the numbers of the tools that have them; it looks at whole lines only. */
export function shareFields(tools: readonly (readonly FieldText[])[]): ReadonlyMap<number, readonly SharedFields[]> {
  const users = new Map<string, { readonly field: FieldText; readonly tools: number[] }>();
  for (const [number, fields] of tools.entries()) {
    for (const field of fields) {
      const known = users.get(field.line);
      if (known === undefined) users.set(field.line, { field, tools: [number] });
      else known.tools.push(number);
    }
  }
  const repeated = [...users.values()].filter((entry) => entry.tools.length >= minTools);
  const shared = new Map<number, SharedFields[]>();
  const taken = new Set<string>();
  for (const group of Map.groupBy(repeated, (entry) => entry.tools.join()).values()) {
    const numbers = group[0]?.tools ?? [];
    const fields = group.map((entry) => entry.field);
    const chars = fields.reduce((sum, field) => sum + field.line.length + 1, 0);
    if (chars < minChars) continue;
    const named = nameGroup(fields, taken);
    const frame = named.name.length + frameChars;
    if (chars * (numbers.length - 1) < frame * (numbers.length + 1)) continue;
    taken.add(named.name);
    for (const number of numbers) {
      const own = shared.get(number);
      if (own === undefined) shared.set(number, [named]);
      else own.push(named);
    }
  }
  return shared;
}

function nameGroup(fields: readonly FieldText[], taken: ReadonlySet<string>): SharedFields {
  const lines = fields.map((field) => field.line);
  const body = `{\n${lines.join("\n")}\n}`;
  const base = fields
    .slice(0, 2)
    .map((field) => pascalCase(field.name))
    .join("");
  let digits = 3;
  let name = `${base}${hashText(body, digits, 10)}`;
  while (taken.has(name)) name = `${base}${hashText(body, (digits += 3), 10)}`;
  return { name, text: `type ${name} = ${body};`, lines };
}
