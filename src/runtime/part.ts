// From a stretch of the model's text to the script that is compiled: `(async () => {"use strict";` and the text on line 1,
// then `})`. Form and imports are read from the syntax tree.
import { bounds } from "../limits.ts";
import { tooDeepAt } from "./brackets.ts";
import { assemble, type Edit, type Plan } from "./edits.ts";
import { decide, giveValue } from "./form.ts";
import { unwrap } from "./functions.ts";
import { findJsx } from "./jsx.ts";
import { isShellCommand } from "./recognise.ts";
import {
  decorator,
  empty,
  jsx,
  moved,
  notAProgram,
  notImportable,
  type Rejection,
  tooDeep,
  uncalled,
  unparsed,
} from "./rejects.ts";
import { type Survey, survey } from "./survey.ts";
import { parseOnlyExpression, parseProgram, type Program } from "./syntax.ts";
import { readTop } from "./top.ts";

export interface Prepared {
  readonly ok: true;
  readonly plan: Plan;
  readonly text: string;
  /** Whether esbuild must read the text, and whether as a function or, where namespaces ask for it, as a module's top. */
  readonly erase: "no" | "function" | "module";
  /** In a module's top `throw <mark>` stands for `return void 0`. */
  readonly mark: string;
}

const prefix = '(async () => {"use strict";';
const suffix = "\n})";

/** The stretch of the model's text that is taken for the program. */
export interface Part {
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

/** A first line `#!` would be out of place behind the prefix. */
const opening = (text: string): Edit[] => (text.startsWith("#!") ? [{ at: 0, remove: 2, insert: "//" }] : []);

function refusal(found: Survey): Rejection | undefined {
  if (found.tooDeep !== undefined) return tooDeep(found.tooDeep);
  if (found.importCall !== undefined) return notImportable("import()", found.importCall);
  if (found.importMeta !== undefined) return notImportable("import.meta", found.importMeta);
  return found.decorator === undefined ? undefined : decorator(found.decorator);
}

/** An object literal or an anonymous function reads as a block or a fault where a statement is expected. */
function prepareExpression(part: Part, text: string): Prepared | Rejection | undefined {
  const parsed = parseOnlyExpression(text.replace(/;\s*$/, ""));
  if (!parsed.ok) return undefined;
  const expression = parsed.tree;
  const inner = unwrap(expression).type;
  if (!["ObjectExpression", "FunctionExpression", "ArrowFunctionExpression"].includes(inner)) return undefined;
  const found = survey(expression, text, new Set(), bounds.depth);
  const refused = refusal(found);
  if (refused !== undefined) return refused;
  const [first, second] = giveValue(expression, "return ");
  const at = expression.start ?? 0;
  const to = expression.end ?? 0;
  const edits =
    second === undefined
      ? [
          { at, remove: 0, insert: "return (" },
          { at: to, remove: 0, insert: ")" },
        ]
      : [first as Edit, second];
  return finish(part, [...edits, ...comments(found.htmlComments)], found.typescript ? "function" : "no", undefined, "");
}

const comments = (offsets: readonly number[]): Edit[] => offsets.map((at) => ({ at, remove: 0, insert: " " }));

function finish(
  part: Part,
  edits: readonly Edit[],
  erase: Prepared["erase"],
  end: string | undefined,
  mark: string,
): Prepared {
  const module = erase === "module";
  const back = module ? `throw ${mark}, ` : "return ";
  const tail = end === undefined ? "" : `\n;${back}${end};`;
  const plan: Plan = {
    from: part.from,
    to: part.to,
    prefix: module ? "" : prefix,
    suffix: module ? tail : tail + suffix,
    edits: [...edits]
      .sort((a, b) => a.at - b.at || a.remove - b.remove)
      .map((edit) => ({ at: edit.at + part.from, remove: edit.remove, insert: edit.insert })),
  };
  return { ok: true, plan, text: assemble(part.source, plan).text, erase, mark };
}

function prepareTree(part: Part, text: string, program: Program): Prepared | Rejection {
  if (isShellCommand(program)) return notAProgram("a shell command");
  const top = readTop(program, text);
  if ("from" in top) return notImportable(`import of "${top.from}"`, top.at);
  const found = survey(program, text, top.erased, bounds.depth);
  const refused = refusal(found);
  if (refused !== undefined) return refused;
  const [only, ...others] = program.body.filter((statement) => statement.type !== "EmptyStatement");
  if (only?.type === "BlockStatement" && others.length === 0) {
    const object = prepareExpression(part, text);
    if (object !== undefined) return object;
  }
  const module = found.namespaces;
  const mark = module ? unusedMark(text) : "";
  const form = decide(program, top, found.returns.length > 0, module ? `throw ${mark}, ` : "return ");
  if (form.kind === "nothing") return empty("the program holds nothing to run: no statement and no expression");
  if (form.kind === "uncalled") return uncalled(form.names);
  const edits = [...opening(text), ...top.edits, ...form.edits, ...comments(found.htmlComments)];
  if (module) {
    for (const { at, bare } of found.returns)
      edits.push({ at, remove: 6, insert: bare ? `throw ${mark}` : `throw ${mark},` });
  }
  return finish(part, edits, module ? "module" : found.typescript ? "function" : "no", form.end, mark);
}

/** Seven characters that the text does not hold, so that `throw <mark>` is as long as `return void 0`. */
function unusedMark(text: string): string {
  for (let index = 0; ; index += 1) {
    const mark = `$r_${index.toString(36).padStart(4, "0")}`;
    if (!text.includes(mark)) return mark;
  }
}

/** `undefined`: what parsed is a Markdown fence that reads as two templates. */
export function preparePart(part: Part): Prepared | Rejection | undefined {
  const text = part.source.slice(part.from, part.to);
  const prepared = prepareText(part, text);
  return prepared === undefined || prepared.ok ? prepared : moved(prepared, part.from);
}

function prepareText(part: Part, text: string): Prepared | Rejection | undefined {
  const crossing = tooDeepAt(text, bounds.depth);
  if (crossing !== undefined) return tooDeep(crossing);
  const parsed = parseProgram(text);
  if (!parsed.ok) {
    if (parsed.deep) return tooDeep(0);
    const expression = prepareExpression(part, text);
    if (expression !== undefined) return expression;
    const element = findJsx(text);
    return element === undefined ? unparsed(parsed.message, parsed.reason, parsed.offset) : jsx(element);
  }
  try {
    const fenced =
      /^ {0,3}```/m.test(text) && survey(parsed.tree, text, new Set(), Infinity).doubleTemplate !== undefined;
    return fenced ? undefined : prepareTree(part, text, parsed.tree);
  } catch (thrown) {
    // On some texts, such as `namespace return`, the parser gives a tree with holes.
    if (!(thrown instanceof TypeError)) throw thrown;
    return unparsed("the text does not parse", "", 0);
  }
}
