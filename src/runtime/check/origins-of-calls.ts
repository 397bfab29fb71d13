// What calls give for certain: those of tools, of the language's own functions, and of the usual methods of what is certain.
import { inner, isCallback, resultsOf } from "./nodes.ts";
import {
  awaited,
  itemOrigins,
  nothing,
  originKind,
  type Origins,
  resultOrigins,
  spread,
  type Trace,
  typeAt,
  union,
} from "./origin.ts";
import { type CallExpression, type Node, syntax } from "./typescript.ts";
import type { View } from "./view.ts";

/** Methods that give a function of the program items of what they are called on, as its first parameter or as these. */
const givingFirst = new Set("every filter find findIndex findLast findLastIndex flatMap forEach map some".split(" "));
const givingAt = new Map<string, readonly number[]>([
  ["reduce", [1]],
  ["reduceRight", [1]],
  ["sort", [0, 1]],
  ["toSorted", [0, 1]],
]);
/** Methods that give the items that they are called on, in a list, or one of them. */
const keeping = new Set("filter slice sort toSorted reverse toReversed".split(" "));
const picking = new Set("find findLast at pop shift".split(" "));
const plainFunctions = new Set("String Number Boolean parseInt parseFloat".split(" "));
const plainObjects: Readonly<Record<string, ReadonlySet<string> | "all">> = {
  Math: "all",
  JSON: new Set(["stringify"]),
  Date: new Set(["now"]),
  Object: new Set(["keys"]),
};

/** A parameter of a function that is handed to a method of what is certain. */
export async function parameterOrigins(
  declared: syntax.ParameterDeclaration,
  view: View,
  trace: Trace,
): Promise<Origins | undefined> {
  const { parent: own } = declared;
  if (declared.type !== undefined || declared.initializer !== undefined || declared.dotDotDotToken !== undefined) {
    return undefined;
  }
  const call = own.parent;
  if (!isCallback(own) || !syntax.isCallExpression(call) || call.arguments[0] !== own) return undefined;
  const called = inner(call.expression);
  if (!syntax.isPropertyAccessExpression(called)) return undefined;
  const method = called.name.text;
  const place = own.parameters.indexOf(declared);
  if (view.survey.writes.fields.has(method)) return undefined;
  if (method === "then") {
    const of = place === 0 ? await trace(called.expression) : undefined;
    return of?.every(({ from }) => from === "promise") === true ? awaited(of) : undefined;
  }
  const places = givingAt.get(method) ?? (givingFirst.has(method) ? [0] : []);
  return places.includes(place) ? itemOrigins(await trace(called.expression), view) : undefined;
}

export async function originsOfCall(node: CallExpression, view: View, trace: Trace): Promise<Origins | undefined> {
  const called = inner(node.expression);
  if (syntax.isIdentifier(called) && view.isGlobal(called)) {
    return plainFunctions.has(called.text) ? typeAt(node, view) : undefined;
  }
  if (syntax.isPropertyAccessExpression(called)) {
    const of = inner(called.expression);
    if (!isTools(of) && view.isGlobal(of)) return originsOfStatic(of.getText(), called.name.text, node, view, trace);
    if (!isTools(of)) {
      const fromMethod = await originsOfMethod(called, node, view, trace);
      if (fromMethod !== undefined) return fromMethod;
    }
  }
  const signature = await view.checker.getResolvedSignature(node);
  if (signature === undefined || (await view.toolOf(signature)) === undefined) return undefined;
  const result = await view.checker.getReturnTypeOfSignature(signature);
  if (result === undefined || !result.isTypeReference()) return undefined;
  const [type] = await view.checker.getTypeArguments(result);
  return type === undefined ? undefined : [{ from: "promise", of: [{ from: "type", type }] }];
}

const isTools = (node: Node): boolean => syntax.isIdentifier(node) && node.text === "tools";

async function originsOfStatic(
  object: string,
  method: string,
  node: CallExpression,
  view: View,
  trace: Trace,
): Promise<Origins | undefined> {
  const [first] = node.arguments;
  if (view.survey.writes.fields.has(method)) return undefined;
  if (object === "Promise" && first !== undefined) {
    const items = awaited(await itemOrigins(await trace(first), view));
    if (method === "all") return [{ from: "promise", of: items && [{ from: "list", items }] }];
    return method === "race" || method === "any" ? [{ from: "promise", of: items }] : undefined;
  }
  const known = Object.hasOwn(plainObjects, object) ? plainObjects[object] : undefined;
  return known === "all" || known?.has(method) === true ? typeAt(node, view) : undefined;
}

async function originsOfMethod(
  called: syntax.PropertyAccessExpression,
  node: CallExpression,
  view: View,
  trace: Trace,
): Promise<Origins | undefined> {
  const method = called.name.text;
  const of = await trace(called.expression);
  if (of === undefined || node.typeArguments !== undefined || view.survey.writes.fields.has(method)) return undefined;
  const [first] = node.arguments;
  if (method === "then" && of.every(({ from }) => from === "promise")) {
    if (node.arguments.length > 1) return undefined;
    return [{ from: "promise", of: awaited(await resultOrigins(first, resultsOf, trace)) }];
  }
  const kinds = await Promise.all((await spread(of, view)).map((origin) => originKind(origin, view)));
  if (kinds.length > 0 && kinds.every((kind) => kind === "string" || kind === "number" || kind === "boolean")) {
    return typeAt(node, view);
  }
  if (kinds.length === 0 || !kinds.every((kind) => kind === "array")) return undefined;
  if (method === "join") return [{ from: "kind", kind: "string" }];
  if (keeping.has(method)) return [{ from: "list", items: await itemOrigins(of, view) }];
  if (picking.has(method)) return union([await itemOrigins(of, view), [nothing]]);
  if (method === "map") return [{ from: "list", items: await resultOrigins(first, resultsOf, trace) }];
  if (method !== "flatMap") return undefined;
  const parts = await resultOrigins(first, resultsOf, trace);
  const lists = parts?.every(({ from }) => from !== "promise") === true ? await itemOrigins(parts, view) : undefined;
  return [{ from: "list", items: lists }];
}
