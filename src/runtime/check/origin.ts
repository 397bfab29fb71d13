// What is certain of a value: the declared type, literal or list that it is, or several of them, and what its parts are.
import { isCallback } from "./nodes.ts";
import { anything, type Kind, kindOf } from "./kinds.ts";
import { type Node, syntax, type Type } from "./typescript.ts";
import type { View } from "./view.ts";

export type Origin =
  | { readonly from: "type"; readonly type: Type }
  | { readonly from: "literal"; readonly value: string | number | boolean }
  /** One whose parts nobody asks after. */
  | { readonly from: "kind"; readonly kind: Kind }
  | { readonly from: "list"; readonly items: Origins | undefined }
  | { readonly from: "promise"; readonly of: Origins | undefined };

/** All that a value may be. */
export type Origins = readonly Origin[];

export const nothing: Origin = { from: "kind", kind: "undefined" };
/** Follows an expression inside another, one step deeper. */
export type Trace = (node: Node) => Promise<Origins | undefined>;

/** What TypeScript says of an expression whose parts are certain. */
export async function typeAt(node: Node, view: View): Promise<Origins | undefined> {
  const type = await view.checker.getTypeAtLocation(node);
  return type === undefined || (type.flags & anything) !== 0 ? undefined : [{ from: "type", type }];
}

/** What a field of something holds; what is not there has no fields. */
export async function fieldOrigins(of: Origins | undefined, name: string, view: View): Promise<Origins | undefined> {
  const { writes } = view.survey;
  if (of === undefined || writes.fields.has(name) || writes.anyField) return undefined;
  return each(of, view, async (origin) => {
    const kind = await originKind(origin, view);
    if (kind === "undefined" || kind === "null") return [];
    if (name === "length" && (kind === "array" || kind === "string")) return [{ from: "kind", kind: "number" }];
    if (origin.from !== "type" || kind !== "object") return undefined;
    const symbol = await view.checker.getPropertyOfType(origin.type, name);
    // What the program's own types say is a claim.
    if (symbol === undefined || !view.isOwn(symbol)) return undefined;
    const type = await view.checker.getTypeOfSymbol(symbol);
    return type === undefined ? undefined : [{ from: "type", type }];
  });
}

/** What the items of a list are. */
export async function itemOrigins(of: Origins | undefined, view: View): Promise<Origins | undefined> {
  const { writes } = view.survey;
  if (of === undefined || writes.anyItem || writes.anyField) return undefined;
  return each(of, view, async (origin) => {
    if (origin.from === "list") return origin.items;
    const kind = await originKind(origin, view);
    if (kind === "undefined" || kind === "null") return [];
    if (origin.from !== "type" || !origin.type.isTypeReference() || !(await view.checker.isArrayType(origin.type))) {
      return undefined;
    }
    const [type] = await view.checker.getTypeArguments(origin.type);
    return type === undefined ? undefined : [{ from: "type", type }];
  });
}

/** What is left after `await`. */
export function awaited(of: Origins | undefined): Origins | undefined {
  return union(of?.map((origin) => (origin.from === "promise" ? origin.of : [origin])) ?? [undefined]);
}

async function each(
  of: Origins,
  view: View,
  step: (origin: Origin) => Promise<Origins | undefined>,
): Promise<Origins | undefined> {
  const steps: (Origins | undefined)[] = [];
  for (const origin of await spread(of, view)) steps.push(await step(origin));
  return union(steps);
}

/** The same origins with each member of a union by itself. */
export async function spread(of: Origins, { checker }: View): Promise<Origins> {
  const members = await Promise.all(
    of.map(async (origin): Promise<Origins> => {
      if (origin.from !== "type") return [origin];
      return (await checker.membersOf(origin.type)).map((type) => ({ from: "type", type }));
    }),
  );
  return members.flat();
}

export function union(parts: readonly (Origins | undefined)[]): Origins | undefined {
  const all: Origin[] = [];
  for (const part of parts) {
    if (part === undefined) return undefined;
    all.push(...part);
  }
  return all;
}

export async function originKind(origin: Origin, view: View): Promise<Kind> {
  if (origin.from === "kind") return origin.kind;
  if (origin.from === "list") return "array";
  if (origin.from === "promise") return "promise";
  if (origin.from === "type") return kindOf(origin.type, view);
  // A literal is of one of the three kinds that JSON has.
  return typeof origin.value as "string" | "number" | "boolean";
}

/** Where it may also be nothing. */
export const maybe = (of: Origins | undefined, mayLack: boolean): Origins | undefined =>
  of === undefined || !mayLack ? of : [...of, nothing];

/** What a function that is written on the spot gives to whoever calls it. */
export async function resultOrigins(
  given: Node | undefined,
  results: (callback: syntax.FunctionLikeDeclaration) => readonly (Node | undefined)[],
  trace: Trace,
): Promise<Origins | undefined> {
  // What says itself what it gives makes a claim; a generator gives something else.
  if (!isCallback(given) || given.type !== undefined || given.asteriskToken !== undefined) return undefined;
  const parts: (Origins | undefined)[] = [];
  const all = results(given);
  for (const one of all) parts.push(one === undefined ? undefined : await trace(one));
  const of = parts.length === 0 ? undefined : union(parts);
  const isAsync = given.modifiers?.some(({ kind }) => kind === syntax.SyntaxKind.AsyncKeyword) === true;
  return isAsync ? [{ from: "promise", of: awaited(of) }] : of;
}
