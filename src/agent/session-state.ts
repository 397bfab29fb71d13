// `state` of a session. Programs may run side by side: what each changed is told key by key from how it found the object, so
// that neither undoes what the other did. Of a key that both changed, the one that ends last has its way, and is told so.
import { type JsonObject, parseJson } from "../json.ts";

export interface SessionState {
  /** JSON text of an object. */
  text(): string;
  /** Takes what a program made of `before`; answers what the model should hear of that. */
  merge(before: string, after: string): readonly string[];
}

type Fields = ReadonlyMap<string, string>;

/** Keys with the JSON text of their values. */
const fieldsOf = (json: string): Fields =>
  new Map(Object.entries(parseJson(json) as JsonObject).map(([key, value]) => [key, JSON.stringify(value)]));

const textOf = (fields: Fields): string =>
  `{${[...fields].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;

const namesShown = 5;

export function createSessionState(maxBytes: number, initial = "{}"): SessionState {
  let text = initial;

  function merge(before: string, after: string): readonly string[] {
    if (text === before) {
      text = after;
      return [];
    }
    const [found, left, now] = [fieldsOf(before), fieldsOf(after), new Map(fieldsOf(text))];
    const lost: string[] = [];
    for (const key of new Set([...found.keys(), ...left.keys()])) {
      const mine = left.get(key);
      if (mine === found.get(key)) continue;
      const theirs = now.get(key);
      if (theirs !== found.get(key) && theirs !== mine) lost.push(key);
      if (mine === undefined) now.delete(key);
      else now.set(key, mine);
    }
    // Written again, keys that are numbers stand where every other text of the same object has them.
    const merged = JSON.stringify(parseJson(textOf(now)));
    if (Buffer.byteLength(merged) > maxBytes) {
      return [
        `\`state\` is over ${maxBytes} bytes of JSON together with what another program left in it meanwhile; what this one changed is not kept`,
      ];
    }
    text = merged;
    if (lost.length === 0) return [];
    const more = lost.length > namesShown ? `, … (${lost.length})` : "";
    const named = lost.slice(0, namesShown).map((key) => JSON.stringify(key.slice(0, 100)));
    return [
      `another program changed ${named.join(", ")}${more} of \`state\` meanwhile; what this one left there replaces it`,
    ];
  }

  return { text: () => text, merge };
}
