// What a value is for certain, whatever types the program claims: literals, what operators and the language's own functions
// give, and what tools declare, followed through `const`, destructuring, loops and the usual methods of lists. Casts,
// annotations, `let` and what the program writes into are claims, and a claim is never held against the program.
import { inner, rootOf } from "./nodes.ts";
import { type CallExpression, type FunctionLikeDeclaration, type Node, syntax, TypeFlags } from "./typescript.ts";
import type { View } from "./view.ts";

/** Methods that give a function of the program items of what they are called on, as its first parameter or as these. */
const givingFirst = new Set("every filter find findIndex findLast flatMap forEach map some then".split(" "));
const givingAt = new Map<string, readonly number[]>([
  ["reduce", [1]],
  ["sort", [0, 1]],
  ["toSorted", [0, 1]],
]);
/** Methods that give what they are called on, an item or a part of it. */
const keeping = new Set(
  "filter slice sort toSorted reverse toReversed find findLast at pop shift flat values entries keys".split(" "),
);
const mapping = new Set(["map", "flatMap"]);
const waiting = new Set(["all", "race", "any", "allSettled"]);
const plainFunctions = new Set(["String", "Number", "Boolean", "parseInt", "parseFloat"]);
const plainObjects: Readonly<Record<string, ReadonlySet<string> | "all">> = {
  Math: "all",
  JSON: new Set(["stringify"]),
  Date: new Set(["now"]),
};
const depthAtMost = 20;

type Callback = syntax.ArrowFunction | syntax.FunctionExpression;
const isCallback = (node: Node | undefined): node is Callback =>
  node !== undefined && (syntax.isArrowFunction(node) || syntax.isFunctionExpression(node));

/** Whether the type of an expression is what its value is of. */
export async function isCertain(expression: Node, view: View, depth = 0): Promise<boolean> {
  const node = inner(expression);
  const certain = (next: Node): Promise<boolean> => isCertain(next, view, depth + 1);
  if (depth > depthAtMost) return false;
  if (isPlain(node)) return true;
  if (syntax.isAwaitExpression(node)) return certain(node.expression);
  if (syntax.isConditionalExpression(node)) return (await certain(node.whenTrue)) && certain(node.whenFalse);
  if (syntax.isBinaryExpression(node)) return isCertainBinary(node, certain);
  if (syntax.isIdentifier(node)) return isCertainName(node, view, certain);
  if (syntax.isObjectBindingPattern(node)) return isCertainDeclaration(node.parent, view, certain);
  if (syntax.isPropertyAccessExpression(node) || syntax.isElementAccessExpression(node)) {
    return isCertainAccess(node, view, certain);
  }
  return syntax.isCallExpression(node) && isCertainCall(node, view, certain);
}

type Certain = (node: Node) => Promise<boolean>;

/** An expression whose kind is plain from its syntax; what stands in a literal is looked at by itself. */
function isPlain(node: Node): boolean {
  return (
    syntax.isLiteralExpression(node) ||
    syntax.isTemplateExpression(node) ||
    syntax.isBooleanLiteral(node) ||
    syntax.isTypeOfExpression(node) ||
    syntax.isPrefixUnaryExpression(node) ||
    syntax.isObjectLiteralExpression(node) ||
    syntax.isArrayLiteralExpression(node) ||
    isCallback(node)
  );
}

async function isCertainBinary(node: syntax.BinaryExpression, certain: Certain): Promise<boolean> {
  const { SyntaxKind } = syntax;
  const operator = node.operatorToken.kind;
  if (syntax.isAssignmentOperator(operator)) return false;
  const mixes = [
    SyntaxKind.PlusToken,
    SyntaxKind.BarBarToken,
    SyntaxKind.AmpersandAmpersandToken,
    SyntaxKind.QuestionQuestionToken,
    SyntaxKind.CommaToken,
  ];
  if (!mixes.some((kind) => kind === operator)) return true;
  const isText = (side: Node): boolean => syntax.isStringLiteralLikeNode(side) || syntax.isTemplateExpression(side);
  if (operator === SyntaxKind.PlusToken && (isText(node.left) || isText(node.right))) return true;
  return (await certain(node.left)) && certain(node.right);
}

async function isCertainName(node: syntax.Identifier, view: View, certain: Certain): Promise<boolean> {
  if (view.survey.computed.has(node.text)) return false;
  const declared = await view.declarationOf(await view.checker.getSymbolAtLocation(node));
  return declared !== undefined && isCertainDeclaration(declared, view, certain);
}

async function isCertainDeclaration(declared: Node, view: View, certain: Certain): Promise<boolean> {
  if (syntax.isVariableDeclaration(declared)) {
    const list = declared.parent;
    if (declared.type !== undefined || (list.flags & syntax.NodeFlags.Const) === 0) return false;
    if (syntax.isForOfStatement(list.parent)) return certain(list.parent.expression);
    return declared.initializer !== undefined && certain(declared.initializer);
  }
  if (syntax.isParameterDeclaration(declared)) return isCertainParameter(declared, certain);
  if (!syntax.isBindingElement(declared) || declared.initializer !== undefined) return false;
  if (declared.dotDotDotToken !== undefined) return false;
  const name = declared.propertyName ?? declared.name;
  if (syntax.isObjectBindingPattern(declared.parent) && view.survey.fields.has(name?.getText() ?? "")) return false;
  return isCertainDeclaration(declared.parent.parent, view, certain);
}

/** A parameter of a function that is handed to a method of what is certain. */
async function isCertainParameter(declared: syntax.ParameterDeclaration, certain: Certain): Promise<boolean> {
  const { parent: own } = declared;
  if (declared.type !== undefined || declared.initializer !== undefined || declared.dotDotDotToken !== undefined) {
    return false;
  }
  const call = own.parent;
  if (!isCallback(own) || !syntax.isCallExpression(call) || call.arguments[0] !== own) return false;
  const called = inner(call.expression);
  if (!syntax.isPropertyAccessExpression(called)) return false;
  const method = called.name.text;
  const places = givingAt.get(method) ?? (givingFirst.has(method) ? [0] : []);
  return places.includes(own.parameters.indexOf(declared)) && certain(called.expression);
}

async function isCertainAccess(
  node: syntax.PropertyAccessExpression | syntax.ElementAccessExpression,
  view: View,
  certain: Certain,
): Promise<boolean> {
  if (syntax.isElementAccessExpression(node)) {
    const { argumentExpression: key } = node;
    if (syntax.isStringLiteralLikeNode(key) && view.survey.fields.has(key.text)) return false;
    return certain(node.expression);
  }
  if (view.survey.fields.has(node.name.text)) return false;
  const symbol = await view.checker.getSymbolAtLocation(node.name);
  if (!view.isOwn(symbol) && node.name.text !== "length") return false;
  return certain(node.expression);
}

async function isCertainCall(node: CallExpression, view: View, certain: Certain): Promise<boolean> {
  const signature = await view.checker.getResolvedSignature(node);
  if ((await view.toolOf(signature)) !== undefined) return true;
  const called = inner(node.expression);
  if (syntax.isIdentifier(called)) return plainFunctions.has(called.text) && view.isGlobal(called);
  if (!syntax.isPropertyAccessExpression(called) || node.typeArguments !== undefined) return false;
  const method = called.name.text;
  if (await view.isGlobal(inner(called.expression))) return isCertainStatic(rootOf(called), method, node, certain);
  if (!(await certain(called.expression))) return false;
  if (keeping.has(method)) return !claims(node.arguments[0]);
  if (mapping.has(method)) return isCertainResult(node.arguments[0], certain);
  if (method === "join" || method === "toString") return true;
  const receiver = await view.checker.getTypeAtLocation(called.expression);
  return receiver !== undefined && (receiver.flags & (TypeFlags.StringLike | TypeFlags.NumberLike)) !== 0;
}

async function isCertainStatic(
  object: string | undefined,
  method: string,
  { arguments: given }: CallExpression,
  certain: Certain,
): Promise<boolean> {
  const [first] = given;
  if (object === "Promise" && waiting.has(method) && first !== undefined) return areCertain(first, certain);
  if (object === "Object" && ["keys", "values", "entries"].includes(method)) {
    return method === "keys" || (first !== undefined && certain(first));
  }
  const known = object !== undefined && Object.hasOwn(plainObjects, object) ? plainObjects[object] : undefined;
  return known === "all" || known?.has(method) === true;
}

/** Of a list in brackets, every item; of any other, the list. */
async function areCertain(list: Node, certain: Certain): Promise<boolean> {
  const items = inner(list);
  if (!syntax.isArrayLiteralExpression(items)) return certain(items);
  return !items.elements.some((item) => syntax.isSpreadElement(item)) && every(items.elements, certain);
}

async function every(nodes: readonly Node[], certain: Certain): Promise<boolean> {
  for (const node of nodes) if (!(await certain(node))) return false;
  return true;
}

/** Whether a function says itself what it gives, as `(x): x is T => …` does. */
const claims = (given: Node | undefined): boolean =>
  given !== undefined && (!isCallback(given) || given.type !== undefined) && !syntax.isNumericLiteral(given);

async function isCertainResult(given: Node | undefined, certain: Certain): Promise<boolean> {
  if (given === undefined || !isCallback(given) || given.type !== undefined) return false;
  if (!syntax.isBlock(given.body)) return certain(given.body);
  const returned = returnsOf(given);
  return returned.length > 0 && every(returned, certain);
}

/** What the function itself returns, the functions in it apart. */
function returnsOf({ body }: FunctionLikeDeclaration): readonly Node[] {
  const found: Node[] = [];
  const left: Node[] = body === undefined ? [] : [body];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    // One that gives nothing stands for itself, of which nothing is certain.
    if (syntax.isReturnStatement(node)) found.push(node.expression ?? node);
    node.forEachChild((child) => {
      if (!syntax.isFunctionLikeDeclaration(child)) left.push(child);
    });
  }
  return found;
}
