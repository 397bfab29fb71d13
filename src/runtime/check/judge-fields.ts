// What is surely wrong where a field is read: of `tools`, of a promise, of what a tool gave. A field that the program asks
// for before it relies on it, or that it writes itself, is not.
import { isNearMiss, nearest } from "../../nearest.ts";
import { shapeKey } from "./closed-shapes.ts";
import type { Fact } from "./findings.ts";
import type { Placed } from "./placed.ts";
import { isOwnObject, type Kind } from "./kinds.ts";
import { type Origin, originKind, type Origins, spread, typeAt } from "./origin.ts";
import { originsOf } from "./origins.ts";
import { promiseOf } from "./promises.ts";
import { inner, isQuoted } from "./nodes.ts";
import { type Node, syntax } from "./typescript.ts";
import type { View } from "./view.ts";

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
  const { asks, writes } = view.survey;
  if (asks.present.has(name) || writes.fields.has(name) || name in Object.prototype || name in Promise.prototype) {
    return undefined;
  }
  if (!view.isOwn(await view.checker.getSymbolAtLocation(tools))) return undefined;
  const type = await view.checker.getTypeAtLocation(tools);
  const known = type === undefined ? undefined : await view.checker.getPropertyOfType(type, name);
  return known === undefined ? { kind: "tool", name } : undefined;
}

async function promiseFact({ name, from }: Read, view: View): Promise<Fact | undefined> {
  const { asks, writes } = view.survey;
  if (writes.fields.has(name) || asks.present.has(name) || name in Promise.prototype) return undefined;
  const call = await promiseOf(from, view);
  return call === undefined ? undefined : { kind: "await", call, use: `.${name}` };
}

async function resultFact(read: Read, view: View, closed: ReadonlySet<string>): Promise<Fact | undefined> {
  const { name, from } = read;
  const { asks, writes } = view.survey;
  if (writes.fields.has(name) || writes.anyField || asks.present.has(name)) return undefined;
  // What TypeScript takes it for here comes first, as that is known; then all that it may be, whatever the program claims.
  const here = await typeAt(from, view);
  const lackingHere = here === undefined ? undefined : await lackingAll(here, name, view, closed);
  if (lackingHere === undefined) return undefined;
  const origins = await originsOf(from, view);
  const lacking = origins === undefined ? undefined : await lackingAll(origins, name, view, closed);
  if (lacking === undefined) return undefined;
  const { is, known } = lacking;
  const isMisspelt = known.some((one) => isNearMiss(name, one));
  if (asks.compared.has(name) && !isMisspelt) return undefined;
  const near = is === "object" ? nearName(name, known) : undefined;
  const of = writtenOf(from);
  return { kind: "field", name, of, is, known: known.slice(0, 20), ...(near === undefined ? {} : { near }) };
}

/** What lacks the field, if all that a value may be does; what is nothing has no fields anyway. */
async function lackingAll(
  origins: Origins,
  name: string,
  view: View,
  closed: ReadonlySet<string>,
): Promise<Lacking | undefined> {
  const known = new Set<string>();
  let is: Lacking["is"] | undefined;
  for (const origin of await spread(origins, view)) {
    const kind = await originKind(origin, view);
    if (kind === "null" || kind === "undefined") continue;
    const lacking = await lacks(origin, kind, name, view, closed);
    if (lacking === undefined) return undefined;
    is ??= lacking.is;
    for (const one of lacking.known) known.add(one);
  }
  return is === undefined ? undefined : { is, known: [...known] };
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

const prototypes = {
  array: Array.prototype,
  string: String.prototype,
  number: Number.prototype,
  boolean: Boolean.prototype,
};

/** Says what an origin is if its values surely have no such field. */
async function lacks(
  origin: Origin,
  is: Kind,
  name: string,
  view: View,
  closed: ReadonlySet<string>,
): Promise<Lacking | undefined> {
  if (name in Object.prototype) return undefined;
  if (is === "array" || is === "string" || is === "number" || is === "boolean") {
    return name in prototypes[is] || /^\d+$/.test(name) ? undefined : { is, known: [] };
  }
  if (is !== "object" || origin.from !== "type" || !(await isOwnObject(origin.type, view))) return undefined;
  const { checker } = view;
  const known = (await checker.getPropertiesOfType(origin.type)).map((symbol) => symbol.name);
  if (known.includes(name) || (await checker.getIndexInfosOfType(origin.type)).length > 0) return undefined;
  const isWrong = closed.has(shapeKey(known)) || known.some((other) => isNearMiss(name, other));
  return isWrong ? { is: "object", known } : undefined;
}
