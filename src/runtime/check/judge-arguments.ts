// What is surely wrong in the arguments of a tool's call. Literals are looked into, also through a `const` that is only
// read; of anything else only the kind is compared, where it is certain. Of several admitted shapes the nearest is spoken of.
import { isNearMiss, nearest } from "../../nearest.ts";
import { isCertain } from "./certain.ts";
import { shapeKey } from "./closed-shapes.ts";
import type { Fact, Step } from "./findings.ts";
import { areDisjoint, kindOf } from "./kinds.ts";
import { promiseOf } from "./promises.ts";
import { inner, nameNode } from "./nodes.ts";
import { type Expression, type Node, type Symbol, SymbolFlags, syntax, type Type, TypeFlags } from "./typescript.ts";
import { membersOf, type View } from "./view.ts";

/** A fact and the node that it is about. */
export interface Placed {
  readonly fact: Fact;
  readonly at: Node;
}

/** The argument of a call: of which tool, the sets of names that admit no others, and how far in the judge is. */
export interface ArgumentContext {
  readonly view: View;
  readonly tool: string;
  readonly closed: ReadonlySet<string>;
  readonly path: readonly Step[];
}

const shownChars = 160;
const writtenChars = 60;
// NodeBuilderFlags: a whole type, and what its name stands for.
const wholeType = 1 + 8_388_608;

export async function judgeArgument(
  given: Expression,
  target: Type,
  context: ArgumentContext,
): Promise<readonly Placed[]> {
  const value = await literalOf(given, context.view);
  if (syntax.isObjectLiteralExpression(value)) return judgeShapes(value, given, target, context);
  if (syntax.isArrayLiteralExpression(value)) return judgeList(value, given, target, context);
  return judgeKind(given, target, context);
}

/** The literal that a name stands for, where the program only reads it. */
async function literalOf(given: Expression, { checker, declarationOf, survey }: View): Promise<Node> {
  const value = inner(given);
  if (!syntax.isIdentifier(value) || survey.shared.has(value.text)) return value;
  const declared = await declarationOf(await checker.getSymbolAtLocation(value));
  if (declared === undefined || !syntax.isVariableDeclaration(declared) || declared.type !== undefined) return value;
  if ((declared.parent.flags & syntax.NodeFlags.Const) === 0 || declared.initializer === undefined) return value;
  const literal = inner(declared.initializer);
  return syntax.isObjectLiteralExpression(literal) ? literal : value;
}

async function judgeKind(given: Expression, target: Type, context: ArgumentContext): Promise<readonly Placed[]> {
  const { view, tool, path } = context;
  const call = await promiseOf(given, view);
  if (call !== undefined) {
    const promise = await view.checker.getTypeAtLocation(given);
    if (promise === undefined || !(await areDisjoint(promise, target, view))) return [];
    return [{ fact: { kind: "await", call, use: "an argument" }, at: given }];
  }
  const source = await view.checker.getTypeAtLocation(given);
  if (source === undefined || !(await isCertain(given, view)) || !(await areDisjoint(source, target, view))) return [];
  const near = await nearLiteral(source, target);
  const fact: Fact = {
    kind: "mistyped",
    tool,
    path,
    expected: await shown(target, view),
    came: await cameOf(given, source, view),
    ...(near === undefined ? {} : { near }),
  };
  return [{ fact, at: given }];
}

async function shown(type: Type, { checker }: View): Promise<string> {
  const text = (await checker.typeToString(type, undefined, wholeType)).replace(/\s+/g, " ");
  return text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`;
}

/** A literal as it was written, else its kind. */
async function cameOf(given: Expression, source: Type, view: View): Promise<string> {
  const value = inner(given);
  const written = value.getText();
  if (written.length <= writtenChars && (syntax.isLiteralExpression(value) || syntax.isBooleanLiteral(value)))
    return written;
  const kind = await kindOf(source, view);
  if (kind === "array" || kind === "object") return `an ${kind}`;
  return kind === "other" ? shown(source, view) : `a ${kind}`;
}

async function nearLiteral(source: Type, target: Type): Promise<string | undefined> {
  if (!source.isStringLiteralType()) return undefined;
  const admitted = (await membersOf(target)).flatMap((type) => (type.isStringLiteralType() ? [type.value] : []));
  return admitted.find((value) => isNearMiss(source.value, value)) ?? nearest(source.value, admitted, 1)[0];
}

async function judgeList(
  list: syntax.ArrayLiteralExpression,
  given: Expression,
  target: Type,
  context: ArgumentContext,
): Promise<readonly Placed[]> {
  const { checker } = context.view;
  const members = await membersOf(target);
  const lists: Type[] = [];
  for (const type of members) if (await checker.isArrayLikeType(type)) lists.push(type);
  if (lists.length === 0) return judgeKind(given, target, context);
  const [only] = lists;
  if (only === undefined || lists.length > 1 || !(await checker.isArrayType(only)) || !only.isTypeReference())
    return [];
  const [item] = await checker.getTypeArguments(only);
  if (item === undefined) return [];
  const placed: Placed[] = [];
  for (const [index, element] of list.elements.entries()) {
    if (syntax.isSpreadElement(element) || syntax.isOmittedExpression(element)) continue;
    placed.push(...(await judgeArgument(element, item, { ...context, path: [...context.path, index] })));
  }
  return placed;
}

/** An object literal against each shape that is admitted. */
async function judgeShapes(
  literal: syntax.ObjectLiteralExpression,
  given: Expression,
  target: Type,
  context: ArgumentContext,
): Promise<readonly Placed[]> {
  const { view } = context;
  const shapes: Type[] = [];
  for (const type of await membersOf(target)) {
    const kind = await kindOf(type, view);
    // `unknown`, or a type that no JSON Schema leads to.
    if (kind === "other") return [];
    if (kind === "object") shapes.push(type);
  }
  if (shapes.length === 0) return judgeKind(given, target, context);
  const judged = await Promise.all(shapes.map((shape) => judgeShape(literal, shape, context)));
  return judged.reduce((best, placed) => (placed.length < best.length ? placed : best));
}

async function judgeShape(
  literal: syntax.ObjectLiteralExpression,
  shape: Type,
  context: ArgumentContext,
): Promise<readonly Placed[]> {
  const { view, tool, path, closed } = context;
  const admitted = new Map((await view.checker.getPropertiesOfType(shape)).map((one) => [one.name, one]));
  const rest = (await view.checker.getIndexInfosOfType(shape)).map(({ valueType }) => valueType);
  const given = namesOf(literal);
  const known = [...admitted.keys()];
  const takesNone = rest.length > 0 && rest.every(({ flags }) => (flags & TypeFlags.Never) !== 0);
  const isOpen = rest.length > 0 && !takesNone;
  const isClosed = takesNone || closed.has(shapeKey(known));
  const placed: Placed[] = [];
  const misspelt = new Set<string>();
  for (const property of literal.properties) {
    const name = nameOf(property);
    if (name === undefined) continue;
    const own = admitted.get(name);
    if (own !== undefined) {
      placed.push(...(await judgeProperty(property, own, { ...context, path: [...path, name] })));
    } else if (!isOpen) {
      const near = known.find((other) => !given.names.has(other) && isNearMiss(name, other));
      if (near === undefined && !isClosed) continue;
      if (near !== undefined) misspelt.add(near);
      const fact: Fact = { kind: "unlisted", tool, path, name, known, ...(near === undefined ? {} : { near }) };
      placed.push({ fact, at: nameNode(property) ?? property });
    }
  }
  const missing = given.isWhole
    ? [...admitted.values()].filter((one) => isRequired(one) && !given.names.has(one.name) && !misspelt.has(one.name))
    : [];
  if (missing.length > 0) {
    placed.push({ fact: { kind: "missing", tool, path, names: missing.map(({ name }) => name) }, at: literal });
  }
  return placed;
}

const isRequired = ({ flags }: Symbol): boolean => (flags & SymbolFlags.Optional) === 0;

async function judgeProperty(
  property: syntax.ObjectLiteralElementLike,
  own: Symbol,
  context: ArgumentContext,
): Promise<readonly Placed[]> {
  const value = valueOf(property);
  const type = await context.view.checker.getTypeOfSymbol(own);
  return value === undefined || type === undefined ? [] : judgeArgument(value, type, context);
}

function valueOf(property: syntax.ObjectLiteralElementLike): Expression | undefined {
  if (syntax.isPropertyAssignment(property)) return property.initializer;
  return syntax.isShorthandPropertyAssignment(property) && syntax.isIdentifier(property.name)
    ? property.name
    : undefined;
}

function nameOf(property: syntax.ObjectLiteralElementLike): string | undefined {
  const name = nameNode(property);
  if (name === undefined) return undefined;
  return syntax.isIdentifier(name) || syntax.isStringLiteral(name) || syntax.isNumericLiteral(name)
    ? name.text
    : undefined;
}

/** The names that a literal gives, and whether it gives no others. */
function namesOf(literal: syntax.ObjectLiteralExpression): { names: ReadonlySet<string>; isWhole: boolean } {
  const names = literal.properties.map(nameOf);
  return { names: new Set(names.filter((name) => name !== undefined)), isWhole: !names.includes(undefined) };
}
