// Makes a program of a conformance test: the harness that it asks for, its own text, and how its end is known.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";

export interface Test {
  /** Relative to the folder of tests. */
  readonly path: string;
  readonly text: string;
  readonly notes: FrontMatter;
}

/** A test as statements, which run in the body of an async function or, but for the wait at their end, as a script. */
export interface Assembled {
  readonly harness: string;
  readonly body: string;
  /** Waits for the end that an asynchronous test tells. */
  readonly end: string;
}

export const passed = "passed";

const always = ["assert.js", "sta.js"] as const;
const finish = `let $finish;
const $finished = new Promise((resolve, reject) => {
  $finish = { resolve, reject };
});
globalThis.$DONE = (error) => (error === undefined ? $finish.resolve() : $finish.reject(error));
`;

/** Reads files of a folder's harness, each once. */
export function createHarness(folder: string): (name: string) => string {
  const files = new Map<string, string>();
  return (name) => {
    const known = files.get(name);
    if (known !== undefined) return known;
    const text = readFileSync(join(folder, "harness", name), "utf8");
    const names = readFrontMatter(text).defines.filter((defined) => /^[\w$]+$/.test(defined));
    // A script would make them globals, where `eval` and `Function` find them.
    const shared = names.map((defined) => `globalThis.${defined} = ${defined};\n`).join("");
    const made = `${text}\n${shared}`;
    files.set(name, made);
    return made;
  };
}

export function assemble({ text, notes }: Test, harness: (name: string) => string): Assembled {
  if (notes.negative?.phase === "parse") return { harness: "", body: text, end: "" };
  const isAsync = notes.flags.includes("async");
  const names = [...always, ...notes.includes.filter((name) => !always.some((known) => known === name))];
  return {
    harness: `${names.map(harness).join("")}${isAsync ? finish : ""}`,
    body: text,
    end: isAsync ? "await $finished;\n" : "",
  };
}

export const asProgram = ({ harness, body, end }: Assembled): string =>
  harness === "" ? body : `${harness}${body}\n;${end}return "${passed}";`;
