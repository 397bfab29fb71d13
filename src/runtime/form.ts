// Decides from the tree how a program gives its value. In this order:
// 1. `export default`: a function is called when the rest has run, anything else is the value.
// 2. An entry function: named main, run, execute, program, handler or start, and used nowhere else in the program, which
//    neither returns at its top nor ends in an expression after it. Or, where the program declares things and does nothing,
//    its only function that nothing uses and that needs no arguments.
// 3. A trailing expression: a function there is called, anything else is the value. Functions, types and empty statements
//    may follow it, as they do nothing.
// 4. Otherwise the program's own `return`, or no value.
// A called function gets the tools where its first parameter is `tools` or `{ tools }`, else nothing.
import type { Edit } from "./edits.ts";
import { argumentsOf, asFunction, callableAlone, functionsOf, mentioned, type NamedFunction } from "./functions.ts";
import type { Node, Program, Statement } from "./syntax.ts";
import type { Top } from "./top.ts";

export type Form =
  /** `edits` give the value in its place; `end` is an expression to give back at the very end. */
  | { readonly kind: "program"; readonly edits: readonly Edit[]; readonly end?: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "uncalled"; readonly names: readonly string[] };

const entryNames = ["main", "run", "execute", "program", "handler", "start"];
const declarations = new Set([
  "FunctionDeclaration",
  "VariableDeclaration",
  "ClassDeclaration",
  "TSEnumDeclaration",
  "TSModuleDeclaration",
]);

/** Edits that turn an expression into what the program gives back; `giveBack` is `return ` or what stands for it. */
export function giveValue(expression: Node, giveBack: string): Edit[] {
  const from = expression.start ?? 0;
  const to = expression.end ?? 0;
  const called = asFunction(expression);
  if (called === undefined) return [{ at: from, remove: 0, insert: giveBack }];
  return [
    { at: from, remove: 0, insert: `${giveBack}(` },
    { at: to, remove: 0, insert: `)(${argumentsOf(called)})` },
  ];
}

const call = (called: NamedFunction): string => `${called.name}(${argumentsOf(called.node)})`;

function findEntry(program: Program, top: Top, statements: readonly Statement[]): Form | undefined {
  const functions = statements.flatMap(functionsOf);
  if (functions.length === 0) return undefined;
  const used = mentioned(program, functions, top.erased);
  const unused = functions.filter((candidate) => !used.has(candidate.name));
  for (const name of entryNames) {
    const named = unused.find((candidate) => candidate.name === name);
    if (named !== undefined) return { kind: "program", edits: [], end: call(named) };
  }
  if (!statements.every((statement) => declarations.has(statement.type))) return undefined;
  const [only, ...others] = unused;
  if (only !== undefined && others.length === 0 && callableAlone(only.node)) {
    return { kind: "program", edits: [], end: call(only) };
  }
  const idle = statements.every(
    (statement) => functionsOf(statement).length > 0 || statement.type === "ClassDeclaration",
  );
  return idle ? { kind: "uncalled", names: functions.map((candidate) => candidate.name) } : undefined;
}

/** `returns` says whether the program itself returns anywhere. */
export function decide(program: Program, top: Top, returns: boolean, giveBack: string): Form {
  if (top.exported !== undefined) {
    if ("expression" in top.exported) return { kind: "program", edits: [], end: top.exported.expression };
    const { name } = top.exported;
    const exported = top.statements.flatMap(functionsOf).find((candidate) => candidate.name === name);
    return { kind: "program", edits: [], end: exported === undefined ? name : call(exported) };
  }
  const statements = top.statements.filter(
    (statement) => statement.type !== "EmptyStatement" && statement.type !== "TSDeclareFunction",
  );
  if (statements.length === 0) {
    const directive = program.directives.at(-1);
    return directive === undefined
      ? { kind: "nothing" }
      : { kind: "program", edits: giveValue(directive.value, giveBack) };
  }
  const trailing = statements.findLast((statement) => statement.type !== "FunctionDeclaration");
  const value = trailing?.type === "ExpressionStatement" ? trailing : undefined;
  if (!returns && statements.at(-1) !== value) {
    const entry = findEntry(program, top, statements);
    if (entry !== undefined) return entry;
  }
  return { kind: "program", edits: value === undefined ? [] : giveValue(value.expression, giveBack) };
}
