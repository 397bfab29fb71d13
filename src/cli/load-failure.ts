// Why Node could not load a module, and where. The place is read from the error's stack: Node puts a frame with carets
// on top of it, or only the calls; a plain JavaScript module that does not parse has neither, and is checked once more.
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { messageOf } from "../errors.ts";
import type { ModulePath } from "./config.ts";

interface Explained {
  readonly reason: string;
  readonly hint?: string;
}

export async function explainLoading(path: ModulePath, error: unknown): Promise<Explained> {
  const code = textOf(error, "code");
  if (code === "ERR_MODULE_NOT_FOUND" && textOf(error, "url") === pathToFileURL(path.file).href) {
    return { reason: "there is no such file" };
  }
  const stack = textOf(error, "stack") ?? "";
  const kind = textOf(error, "name") ?? "Error";
  const name = kind === "Error" ? "" : `${kind}: `;
  const place =
    placeOfFrame(stack) ??
    placeOfCalls(stack, path) ??
    (kind === "SyntaxError" ? placeOfFrame(await checkSyntax(path.file)) : undefined);
  const where = place === undefined ? "" : `\n  at ${shown(place, path)}`;
  const hint = hintFor(code, messageOf(error));
  return { reason: `${name}${messageOf(error)}${where}`, ...(hint === undefined ? {} : { hint }) };
}

/** A text of an error, whose getters may throw. */
function textOf(error: unknown, key: "code" | "name" | "stack" | "url"): string | undefined {
  try {
    const value: unknown = error instanceof Error ? Reflect.get(error, key) : undefined;
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function hintFor(code: string | undefined, message: string): string | undefined {
  if (code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") {
    return "the module is run by Node's own type stripping, which only takes types away: write an enum as a constant object, a namespace as a module, a parameter property as a field that the constructor sets";
  }
  if (code === "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING") {
    return "Node's own type stripping leaves out what lies in node_modules: name a module of JavaScript there";
  }
  if (message.includes("does not provide an export named")) {
    return "if that is a type, import it with `import type`: Node's own type stripping keeps every other import";
  }
  return undefined;
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number | undefined;
}

const shown = ({ file, line, column }: Place, path: ModulePath): string =>
  `${file === path.file ? path.given : file}:${line}${column === undefined ? "" : `:${column}`}`;

/** `file:line` on the first line, then lines of the module with carets below the place. */
function placeOfFrame(text: string): Place | undefined {
  const [head = "", ...rest] = text.split("\n", 20);
  const match = /^(?<file>file:\/\/.+|\/.+|[A-Za-z]:\\.+):(?<line>\d+)$/.exec(head.trim())?.groups;
  if (match?.file === undefined) return undefined;
  const carets = rest.find((line) => /^\s*\^+\s*$/.test(line));
  return {
    file: fileOf(match.file),
    line: Number(match.line),
    column: carets === undefined ? undefined : carets.indexOf("^") + 1,
  };
}

/** The first call in the module itself, else the first one in any file that it loads. */
function placeOfCalls(stack: string, path: ModulePath): Place | undefined {
  const calls = [...stack.matchAll(/^ +at (?:async )?(?:.*\()?(file:\/\/[^\n]+?|\/[^\n:]+):(\d+):(\d+)\)?$/gm)].map(
    ([, file = "", line, column]) => ({ file: fileOf(file), line: Number(line), column: Number(column) }),
  );
  const ours = calls.findIndex(({ file }) => dirname(file) === import.meta.dirname);
  const theirs = ours < 0 ? calls : calls.slice(0, ours);
  return theirs.find(({ file }) => file === path.file) ?? theirs[0];
}

function fileOf(text: string): string {
  try {
    return text.startsWith("file://") ? fileURLToPath(text) : text;
  } catch {
    return text;
  }
}

/** What Node says of a module that it only parses. */
async function checkSyntax(file: string): Promise<string> {
  try {
    await promisify(execFile)(process.execPath, ["--check", file], { timeout: 10_000 });
    return "";
  } catch (error) {
    const said: unknown = error instanceof Error && "stderr" in error ? error.stderr : undefined;
    return typeof said === "string" ? said : "";
  }
}
