// From the diagnostics of one program to what is surely wrong in it.
import { bounds } from "../../limits.ts";
import type { Fact } from "./findings.ts";
import type { Placed } from "./placed.ts";
import { createGuards, tellsOfGuards } from "./guards.ts";
import { judgeArgument } from "./judge-arguments.ts";
import { judgeField } from "./judge-fields.ts";
import { type Concern, concerns } from "./options.ts";
import { isOutside } from "./kinds.ts";
import { inner, isAccess, valueOf } from "./nodes.ts";
import { promiseOf } from "./promises.ts";
import { createQuestions, Enough } from "./questions.ts";
import { survey } from "./survey.ts";
import {
  type CallExpression,
  type Diagnostic,
  type Node,
  type Project,
  type SourceFile,
  syntax,
  type Type,
} from "./typescript.ts";
import { createView, type View } from "./view.ts";

export interface Found {
  readonly fact: Fact;
  /** In the text that was checked. */
  readonly offset: number;
}

/** The names that closed objects have, as `closedShapes` gives them. */
export interface ClosedSets {
  readonly arguments: ReadonlyMap<string, ReadonlySet<string>>;
  readonly results: ReadonlySet<string>;
}

const noNames: ReadonlySet<string> = new Set();

/** Programs whose texts hold no `["` have nothing that TypeScript would pass over. */
const mayQuote = (text: string): boolean => /\[\s*["'`]/.test(text);

/** What is checked, and where its text and the declarations of its tools lie. */
export interface Checked {
  readonly project: Project;
  readonly file: string;
  readonly text: string;
  readonly declarations: string;
  readonly closed: ClosedSets;
}

export async function findFaults({ project, file, text, declarations, closed }: Checked): Promise<readonly Found[]> {
  const all = await project.program.getSemanticDiagnostics(file);
  const diagnostics = all.filter(({ code }) => concerns.has(code));
  if (diagnostics.length === 0 && !mayQuote(text)) return [];
  const tree = await project.program.getSourceFile(file);
  if (tree === undefined) return [];
  const checker = createQuestions(project.checker, bounds.typecheckQuestions);
  const view = createView({ checker, file: tree, survey: survey(tree), declarations });
  const places = createPlaces(tree, view.survey.nodes);
  const judge = createJudge(view, closed, places);
  const guards = createGuards(
    tree,
    all.filter(({ code }) => tellsOfGuards(code)),
  );
  const found = new Map<string, Found>();
  const keep = (placed: readonly Placed[]): void => {
    for (const { fact, at } of placed) {
      if (guards(at)) continue;
      found.set(`${at.getStart()} ${JSON.stringify(fact)}`, { fact, offset: at.getStart() });
    }
  };
  try {
    const fields = diagnostics.filter(({ code }) => concerns.get(code) === "field");
    const named = fields.flatMap(({ pos, end }) => places(pos, end)).map(({ parent }) => parent);
    await checker.foresee(named.filter(isAccess).map(({ expression }) => expression));
    for (const diagnostic of diagnostics) keep(await judge.diagnostic(diagnostic));
    await checker.foresee(view.survey.quoted.map(({ expression }) => expression));
    for (const read of view.survey.quoted) keep(await judgeField(read.argumentExpression, view, closed.results));
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return [...found.values()];
}

/** Gives the nodes that a diagnostic is about. */
type Places = (pos: number, end: number) => readonly Node[];

function createJudge(
  view: View,
  closed: ClosedSets,
  places: Places,
): { diagnostic(one: Diagnostic): Promise<readonly Placed[]> } {
  const judged = new Set<Node>();

  async function argumentsAt(node: Node): Promise<readonly Placed[]> {
    const call = enclosingCall(node.parent);
    if (call === undefined || judged.has(call)) return [];
    judged.add(call);
    const signature = await view.checker.getResolvedSignature(call);
    const tool = await view.toolOf(signature);
    if (signature === undefined || tool === undefined) return [];
    const [given, ...others] = call.arguments;
    if (call.arguments.some((one) => syntax.isSpreadElement(one))) return [];
    const target = await view.checker.getParameterType(signature, 0);
    if (target === undefined) return [];
    if (given === undefined && (await takesNothing(target, view))) return [];
    if (given === undefined || others.length > 0) {
      return [{ fact: { kind: "count", tool, count: call.arguments.length }, at: call }];
    }
    await view.checker.foresee(valuesIn(given));
    return judgeArgument(given, target, { view, tool, closed: closed.arguments.get(tool) ?? noNames, path: [] });
  }

  async function operandsAt(node: Node): Promise<readonly Placed[]> {
    const sides = sidesOf(node);
    const use = syntax.isBinaryExpression(node) ? node.operatorToken.getText() : useOf(node);
    const placed: Placed[] = [];
    for (const at of sides) {
      const call = await promiseOf(at, view);
      if (call !== undefined) placed.push({ fact: { kind: "await", call, use }, at });
    }
    return placed;
  }

  return {
    async diagnostic({ code, pos, end }) {
      const nodes = places(pos, end);
      const concern: Concern | undefined = concerns.get(code);
      if (concern === "arguments") return argumentsAt(nodes.at(-1) ?? view.file);
      const judges = nodes.map((node) =>
        concern === "field" ? judgeField(node, view, closed.results) : operandsAt(node),
      );
      return (await Promise.all(judges)).flat();
    },
  };
}

async function takesNothing(target: Type, view: View): Promise<boolean> {
  return !(await isOutside("undefined", undefined, target, view));
}

/** Gives the nodes that cover exactly a stretch, innermost first, or else the one that it begins in. */
function createPlaces(file: SourceFile, nodes: readonly Node[]): Places {
  const byStart = new Map<number, Node[]>();
  for (const node of nodes) {
    const start = node.getStart();
    const here = byStart.get(start);
    if (here === undefined) byStart.set(start, [node]);
    else here.push(node);
  }
  return (pos, end) => {
    const exact = byStart.get(pos)?.filter((node) => node.end === end) ?? [];
    return exact.length > 0 ? exact.toReversed() : [syntax.getTokenAtPosition(file, pos)];
  };
}

/** The call whose arguments a node stands in, or whose callee it is, with no function in between. */
function enclosingCall(node: Node | undefined): CallExpression | undefined {
  for (let at = node; at !== undefined && !syntax.isFunctionLikeDeclaration(at); at = at.parent) {
    if (syntax.isCallExpression(at)) return at;
  }
  return undefined;
}

/** The expressions that a diagnostic of an operator, or of what takes a list apart, is about. */
function sidesOf(node: Node): readonly Node[] {
  if (syntax.isBinaryExpression(node)) return [node.left, node.right];
  if (!syntax.isArrayBindingPattern(node)) return [node];
  const { parent } = node;
  return syntax.isVariableDeclaration(parent) && parent.initializer !== undefined ? [parent.initializer] : [];
}

function useOf({ parent }: Node): string {
  if (syntax.isForOfStatement(parent)) return "a list";
  if (syntax.isSpreadElement(parent) || syntax.isVariableDeclaration(parent)) return "a list";
  return syntax.isBinaryExpression(parent) ? parent.operatorToken.getText() : "a value";
}

/** What the literals in an argument are given, literals apart. */
function valuesIn(given: Node): readonly Node[] {
  const value = inner(given);
  if (syntax.isObjectLiteralExpression(value)) return value.properties.flatMap((one) => valuesIn(valueOf(one) ?? one));
  if (syntax.isArrayLiteralExpression(value)) return value.elements.flatMap(valuesIn);
  return syntax.isLiteralExpression(value) || !syntax.isExpression(value) ? [] : [given];
}
