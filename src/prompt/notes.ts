import { commentLines } from "./comment-text.ts";
import { isObject } from "../is-object.ts";
import { shorten } from "../shorten.ts";
import { isList } from "./schema-index.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Doc } from "./type-node.ts";

const maxValueChars = 200;
const maxExampleChars = 80;
const machineFormats = new Set([
  "int32",
  "int64",
  "uint32",
  "uint64",
  "float",
  "double",
  "integer",
  "number",
  "string",
]);

/** What a schema says in words, and what its type cannot say; a note that the description already holds is left out. */
export function docOf(schema: JsonObject, name?: string): Doc {
  const description = textOf(schema["description"]) ?? titleOf(schema, name) ?? "";
  const lines = commentLines(description);
  const notes = notesOf(schema).filter((note) => !saysAlready(description, note));
  const own: Doc = { lines, notes: notes.flatMap((note) => commentLines(note.text)) };
  const parts = schema["allOf"];
  if (!isList(parts)) return own;
  return parts.reduce((doc: Doc, part: JsonValue) => (isObject(part) ? joinDocs(doc, docOf(part)) : doc), own);
}

interface Note {
  readonly text: string;
  /** What a description that says the same is sure to hold. */
  readonly holds: readonly string[];
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

// Generators write the property's name again as its title.
function titleOf(schema: JsonObject, name: string | undefined): string | undefined {
  const title = textOf(schema["title"]);
  if (title === undefined || name === undefined) return undefined;
  return plain(title) === plain(name) ? undefined : title;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function saysAlready(description: string, note: Note): boolean {
  const text = description.toLowerCase();
  return note.holds.every((word) => holdsWord(text, word.toLowerCase()));
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + word.length, at + word.length + 2);
    if (!/[\w.]/.test(before) && !/^\.?\d/.test(after)) return true;
  }
  return false;
}

function notesOf(schema: JsonObject): readonly Note[] {
  const notes: Note[] = [];
  const add = (text: string, ...holds: string[]): void => {
    notes.push({ text, holds: holds.length === 0 ? [text] : holds });
  };
  if (schema["deprecated"] === true) add("deprecated");
  if (Object.hasOwn(schema, "default")) {
    const text = shortText(schema["default"]);
    add(`default ${text}`, "default", text.replace(/^"|"$/g, ""));
  }
  for (const keyword of ["format", "contentEncoding"]) {
    const value = textOf(schema[keyword]);
    if (value !== undefined && !machineFormats.has(value)) add(cut(value));
  }
  const pattern = textOf(schema["pattern"]);
  if (pattern !== undefined) add(`pattern ${cut(pattern)}`, pattern);
  addRange(add, rangeOf(schema, "minimum", "maximum"), "");
  const above = numberOf(schema["exclusiveMinimum"]);
  const below = numberOf(schema["exclusiveMaximum"]);
  if (above !== undefined) add(`> ${above}`, String(above));
  if (below !== undefined) add(`< ${below}`, String(below));
  const step = numberOf(schema["multipleOf"]);
  if (step !== undefined && step !== 1) add(`multiple of ${step}`, String(step));
  addRange(add, rangeOf(schema, "minLength", "maxLength"), " chars");
  addRange(add, rangeOf(schema, "minItems", "maxItems"), " items");
  addRange(add, rangeOf(schema, "minProperties", "maxProperties"), " properties");
  if (schema["uniqueItems"] === true) add("unique");
  for (const [text, ...holds] of rulesOf(schema)) add(text, ...holds);
  const examples = examplesOf(schema);
  if (examples.length > 0) add(`e.g. ${examples.join(", ")}`, ...examples.map((text) => text.replace(/^"|"$/g, "")));
  return notes;
}

/** Rules between properties, and others that the type does not hold. */
function rulesOf(schema: JsonObject): readonly (readonly [string, ...string[]])[] {
  const rules: [string, ...string[]][] = [];
  const needs = schema["dependentRequired"];
  for (const [name, others] of isObject(needs) ? Object.entries(needs) : [])
    if (isList(others) && others.length > 0)
      rules.push([`${name} needs ${others.filter((other) => typeof other === "string").join(", ")}`]);
  const { not, contains, propertyNames: keys } = schema;
  if (isObject(not) && !["", "type"].includes(Object.keys(not).join())) rules.push([`not ${shortText(not)}`]);
  if (isObject(contains)) rules.push([`contains ${shortText(contains)}`]);
  if (isObject(keys) && !("enum" in keys || "const" in keys) && !["", "type"].includes(Object.keys(keys).join()))
    rules.push([`keys ${shortText(keys)}`]);
  if (schema["if"] !== undefined)
    for (const keyword of ["then", "else"])
      if (schema[keyword] !== undefined)
        rules.push([
          `${keyword === "then" ? "if" : "unless"} ${shortText(schema["if"])}: ${shortText(schema[keyword])}`,
        ]);
  return rules;
}

/** As many examples as are short together. */
function examplesOf(schema: JsonObject): readonly string[] {
  const listed = schema["examples"];
  const values = isList(listed) ? listed : Object.hasOwn(schema, "example") ? [schema["example"] ?? null] : [];
  const texts: string[] = [];
  let room = maxExampleChars;
  for (const value of values) {
    const text = JSON.stringify(value);
    room -= text.length;
    if (room < 0) break;
    texts.push(text);
  }
  return texts;
}

function shortText(value: JsonValue | undefined): string {
  return cut(JSON.stringify(value) ?? "");
}

const cut = (text: string): string => shorten(text, maxValueChars);

interface Range {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function rangeOf(schema: JsonObject, low: string, high: string): Range {
  const min = numberOf(schema[low]);
  const max = numberOf(schema[high]);
  // Generators write the ends of the number type as bounds.
  return {
    min: min !== undefined && Math.abs(min) < Number.MAX_SAFE_INTEGER ? min : undefined,
    max: max !== undefined && Math.abs(max) < Number.MAX_SAFE_INTEGER ? max : undefined,
  };
}

function addRange(add: (text: string, ...holds: string[]) => void, { min, max }: Range, unit: string): void {
  const counted = unit !== "";
  const low = counted && min === 0 ? undefined : min;
  if (low !== undefined && max !== undefined) {
    if (low === max) add(`${low}${unit}`, String(low));
    else add(`${low}..${max}${unit}`, String(low), String(max));
  } else if (low !== undefined) {
    if (counted && low === 1) add("not empty");
    else add(`min ${low}${unit}`, String(low));
  } else if (max !== undefined) add(`max ${max}${unit}`, String(max));
}

/** Notes on a list's items and a union's only member move up to where they are read. */
export function joinDocs(a: Doc, b: Doc): Doc {
  const added = b.lines.filter((line) => !a.lines.includes(line));
  return { lines: [...a.lines, ...added], notes: [...a.notes, ...b.notes.filter((note) => !a.notes.includes(note))] };
}

/** What is said of one type by two members of a union: a note counts only where both have some. */
export function joinChoices(a: Doc, b: Doc): Doc {
  const { lines } = joinDocs({ lines: a.lines, notes: [] }, { lines: b.lines, notes: [] });
  const [one, other] = [a.notes.join(", "), b.notes.join(", ")];
  if (one.split(" or ").includes(other)) return { lines, notes: a.notes };
  return { lines, notes: one === "" || other === "" ? [] : [`${one} or ${other}`] };
}

/** The doc of a list with that of its items. */
export function joinEach(list: Doc, item: Doc): Doc {
  const [first, ...rest] = item.lines;
  if (first === undefined)
    return item.notes.length === 0 ? list : { ...list, notes: [...list.notes, `each ${item.notes.join(", ")}`] };
  const [only, ...more] = list.lines;
  const each = { lines: [`Each: ${first}`, ...rest], notes: item.notes };
  if (only === undefined || more.length > 0 || rest.length > 0) return joinDocs(list, each);
  const end = /[.!?:;]$/.test(only) ? "" : ".";
  return joinDocs(
    { lines: [`${only}${end} ${each.lines.join("")}`], notes: list.notes },
    { lines: [], notes: item.notes },
  );
}

/** The lines of a comment: notes go behind the last sentence. */
export function docLines({ lines, notes }: Doc): readonly string[] {
  if (notes.length === 0) return lines;
  const last = lines.at(-1);
  if (last === undefined) return [notes.join(", ")];
  return [...lines.slice(0, -1), `${last} (${notes.join(", ")})`];
}
