// What is surely wrong where a field is read: of `tools`, of a promise, of what a tool gave. A field that the program asks
// for before it relies on it, or that it writes itself, is not.
import { isNearMiss, nearest } from "../../nearest.ts";
import { isCertain } from "./certain.ts";
import { shapeKey } from "./closed-shapes.ts";
import type { Fact } from "./findings.ts";
import type { Placed } from "./judge-arguments.ts";
import { isOwnObject, kindOf } from "./kinds.ts";
import { promiseOf } from "./promises.ts";
import { inner, isQuoted, rootOf } from "./nodes.ts";
import { type Node, syntax, type Type, TypeFlags } from "./typescript.ts";
import { membersOf, type View } from "./view.ts";

/** A field that is read. */
interface Read {
  readonly name: string;
  /** What it is read from: an expression, or the pattern that takes it apart. */
  readonly from: Node;
}

const writtenChars = 60;

/** The read that a node which names a field belongs to. */
function readOf(named: Node): Read | undefined {
  const { parent } = named;
  if (syntax.isPropertyAccessExpression(parent) && parent.name === named) {
    return { name: parent.name.text, from: parent.expression };
  }
  if (isQuoted(parent) && parent.argumentExpression === named) {
    return { name: parent.argumentExpression.text, from: parent.expression };
  }
  // One with a default asks before it relies.
  if (!syntax.isBindingElement(parent) || parent.initializer !== undefined) return undefined;
  const name = parent.propertyName ?? parent.name;
  if (name !== named || !(syntax.isIdentifier(name) || syntax.isStringLiteral(name))) return undefined;
  const pattern = parent.parent;
  const owner = pattern.parent;
  const given = syntax.isVariableDeclaration(owner) ? owner.initializer : undefined;
  return { name: name.text, from: given ?? pattern };
}

export async function judgeField(
  named: Node,
  view: View,
  closedResults: ReadonlySet<string>,
): Promise<readonly Placed[]> {
  const read = readOf(named);
  if (read === undefined) return [];
  const fact =
    (await toolFact(read, view)) ?? (await promiseFact(read, view)) ?? (await resultFact(read, view, closedResults));
  return fact === undefined ? [] : [{ fact, at: named }];
}

async function toolFact({ name, from }: Read, view: View): Promise<Fact | undefined> {
  const tools = inner(from);
  if (!syntax.isIdentifier(tools) || tools.text !== "tools") return undefined;
  const symbol = await view.checker.getSymbolAtLocation(tools);
  if (!view.isOwn(symbol) || view.survey.asked.has(name)) return undefined;
  const type = await view.checker.getTypeAtLocation(tools);
  const known = type === undefined ? undefined : await view.checker.getPropertyOfType(type, name);
  return known === undefined ? { kind: "tool", name } : undefined;
}

async function promiseFact({ name, from }: Read, view: View): Promise<Fact | undefined> {
  const call = await promiseOf(from, view);
  const type = call === undefined ? undefined : await view.checker.getTypeAtLocation(from);
  if (call === undefined || type === undefined) return undefined;
  const isThere = (await view.checker.getPropertyOfType(type, name)) !== undefined;
  return isThere ? undefined : { kind: "await", call, use: `.${name}` };
}

async function resultFact(read: Read, view: View, closed: ReadonlySet<string>): Promise<Fact | undefined> {
  const { name, from } = read;
  const root = rootOf(from);
  const { fields, asked, computed } = view.survey;
  if (fields.has(name) || asked.has(name) || (root !== undefined && computed.has(root))) return undefined;
  const type = await view.checker.getTypeAtLocation(from);
  if (type === undefined || !(await isCertain(from, view))) return undefined;
  const known = new Set<string>();
  let is: Lacking["is"] | undefined;
  for (const member of await membersOf(type)) {
    const lacking = await lacks(member, name, view, closed);
    if (lacking === undefined) return undefined;
    is ??= lacking.is;
    for (const one of lacking.known) known.add(one);
  }
  if (is === undefined) return undefined;
  const near = is === "object" ? nearName(name, [...known]) : undefined;
  const of = writtenOf(from);
  return { kind: "field", name, of, is, known: [...known].slice(0, 20), ...(near === undefined ? {} : { near }) };
}

const nearName = (name: string, known: readonly string[]): string | undefined =>
  known.find((one) => isNearMiss(name, one)) ?? nearest(name, known, 1)[0];

/** An expression as the model wrote it, or of a long one what it calls. */
function writtenOf(expression: Node): string {
  let node = inner(expression);
  const written = node.getText();
  if (syntax.isObjectBindingPattern(node)) return "the value";
  if (written.length <= writtenChars) return written;
  if (syntax.isAwaitExpression(node)) node = inner(node.expression);
  const called = syntax.isCallExpression(node) ? node.expression.getText() : "";
  return called !== "" && called.length <= writtenChars ? `the result of ${called}(...)` : "the value";
}

type Lacking = Pick<Fact & { readonly kind: "field" }, "is" | "known">;

/** Says what a type is if its values surely have no such field. */
async function lacks(type: Type, name: string, view: View, closed: ReadonlySet<string>): Promise<Lacking | undefined> {
  const { checker } = view;
  const kind = await kindOf(type, view);
  if (kind === "other" || kind === "promise" || kind === "function") return undefined;
  if ((type.flags & TypeFlags.NonPrimitive) !== 0) return undefined;
  if (kind !== "object") {
    const apparent = (await checker.getApparentType(type)) ?? type;
    const isThere = (await checker.getPropertyOfType(apparent, name)) !== undefined;
    return isThere ? undefined : { is: kind, known: [] };
  }
  if (!(await isOwnObject(type, view))) return undefined;
  const known = (await checker.getPropertiesOfType(type)).map((symbol) => symbol.name);
  if (known.includes(name) || name in Object.prototype) return undefined;
  if ((await checker.getIndexInfosOfType(type)).length > 0) return undefined;
  const isWrong = closed.has(shapeKey(known)) || known.some((other) => isNearMiss(name, other));
  return isWrong ? { is: "object", known } : undefined;
}
