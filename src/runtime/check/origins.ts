// Where a value comes from for certain, whatever types the program claims: literals, what operators and the language's own
// functions give, and what tools declare, followed through `const`, destructuring, loops and the usual methods of lists.
// Nothing is known of what passes a cast, an annotation, a `let`, or a place that the program writes into.
import { inner, isQuoted, nameOf } from "./nodes.ts";
import {
  awaited,
  fieldOrigins,
  itemOrigins,
  maybe,
  nothing,
  type Origin,
  type Origins,
  type Trace,
  typeAt,
  union,
} from "./origin.ts";
import { originsOfCall, parameterOrigins } from "./origins-of-calls.ts";
import { type Node, syntax } from "./typescript.ts";
import type { View } from "./view.ts";

const depthAtMost = 20;

/** All that an expression may give; `undefined` where that is not certain. */
export async function originsOf(expression: Node, view: View, depth = 0): Promise<Origins | undefined> {
  if (depth > depthAtMost) return undefined;
  const node = inner(expression);
  const trace: Trace = (next) => originsOf(next, view, depth + 1);
  const plain = plainOrigin(node, view);
  if (plain !== undefined) return [plain];
  if (syntax.isArrayLiteralExpression(node)) return [{ from: "list", items: await itemsOfLiteral(node, trace) }];
  if (syntax.isAwaitExpression(node)) return awaited(await trace(node.expression));
  if (syntax.isConditionalExpression(node)) return union([await trace(node.whenTrue), await trace(node.whenFalse)]);
  if (syntax.isBinaryExpression(node)) return originsOfBinary(node, view, trace);
  if (syntax.isIdentifier(node)) return originsOfName(node, view, trace);
  if (syntax.isObjectBindingPattern(node) || syntax.isArrayBindingPattern(node)) {
    return originsOfDeclaration(node.parent, view, trace);
  }
  if (syntax.isPropertyAccessExpression(node)) {
    const found = await fieldOrigins(await trace(node.expression), node.name.text, view);
    return maybe(found, node.questionDotToken !== undefined);
  }
  if (syntax.isElementAccessExpression(node)) {
    const of = await trace(node.expression);
    if (isQuoted(node)) return fieldOrigins(of, node.argumentExpression.text, view);
    return maybe(await itemOrigins(of, view), true);
  }
  return syntax.isCallExpression(node) ? originsOfCall(node, view, trace) : undefined;
}

/** What is plain from the syntax alone; what stands in a literal is looked at by itself. */
function plainOrigin(node: Node, view: View): Origin | undefined {
  if (syntax.isStringLiteralLikeNode(node)) return { from: "literal", value: node.text };
  if (syntax.isNumericLiteral(node)) return { from: "literal", value: Number(node.text.replaceAll("_", "")) };
  if (syntax.isBooleanLiteral(node)) return { from: "literal", value: node.getText() === "true" };
  if (syntax.isTemplateExpression(node) || syntax.isTypeOfExpression(node)) return { from: "kind", kind: "string" };
  if (node.kind === syntax.SyntaxKind.NullKeyword) return { from: "kind", kind: "null" };
  if (syntax.isVoidExpression(node)) return nothing;
  if (syntax.isIdentifier(node) && node.text === "undefined" && !view.survey.declared.has("undefined")) return nothing;
  if (syntax.isPrefixUnaryExpression(node)) {
    const { MinusToken, PlusToken, ExclamationToken } = syntax.SyntaxKind;
    if (node.operator === ExclamationToken) return { from: "kind", kind: "boolean" };
    if (node.operator === PlusToken) return { from: "kind", kind: "number" };
    const isMinus = node.operator === MinusToken && syntax.isNumericLiteral(node.operand);
    return isMinus ? { from: "literal", value: -Number(node.operand.getText().replaceAll("_", "")) } : undefined;
  }
  if (syntax.isArrowFunction(node) || syntax.isFunctionExpression(node)) return { from: "kind", kind: "function" };
  // JSON asks an object for its `toJSON`, which may come with what is spread into it.
  const isPlain =
    syntax.isObjectLiteralExpression(node) &&
    node.properties.every((property) => nameOf(property) !== undefined && nameOf(property) !== "toJSON");
  return isPlain && !view.survey.writes.fields.has("toJSON") ? { from: "kind", kind: "object" } : undefined;
}

async function itemsOfLiteral(list: syntax.ArrayLiteralExpression, trace: Trace): Promise<Origins | undefined> {
  const items: (Origins | undefined)[] = [];
  // Nobody asks after the items of a long list.
  if (list.elements.length > 50) return undefined;
  for (const element of list.elements) {
    if (syntax.isSpreadElement(element) || syntax.isOmittedExpression(element)) return undefined;
    items.push(await trace(element));
  }
  return union(items);
}

async function originsOfBinary(node: syntax.BinaryExpression, view: View, trace: Trace): Promise<Origins | undefined> {
  const { SyntaxKind } = syntax;
  const operator = node.operatorToken.kind;
  if (syntax.isAssignmentOperator(operator)) return undefined;
  if (operator === SyntaxKind.CommaToken) return trace(node.right);
  const chooses = [SyntaxKind.BarBarToken, SyntaxKind.AmpersandAmpersandToken, SyntaxKind.QuestionQuestionToken];
  if (chooses.some((kind) => kind === operator)) return union([await trace(node.left), await trace(node.right)]);
  if (operator === SyntaxKind.PlusToken) {
    const isText = (side: Node): boolean => {
      const text = inner(side);
      return syntax.isStringLiteralLikeNode(text) || syntax.isTemplateExpression(text);
    };
    if (isText(node.left) || isText(node.right)) return [{ from: "kind", kind: "string" }];
    if ((await trace(node.left)) === undefined || (await trace(node.right)) === undefined) return undefined;
  }
  // Of two values that it knows nothing about TypeScript says that they give a number.
  return view.survey.bigints ? undefined : typeAt(node, view);
}

async function originsOfName(node: syntax.Identifier, view: View, trace: Trace): Promise<Origins | undefined> {
  if (view.survey.writes.changed.has(node.text)) return undefined;
  const declared = await view.declarationOf(node);
  return declared === undefined ? undefined : originsOfDeclaration(declared, view, trace);
}

async function originsOfDeclaration(declared: Node, view: View, trace: Trace): Promise<Origins | undefined> {
  if (syntax.isVariableDeclaration(declared)) {
    const list = declared.parent;
    if (!syntax.isVariableDeclarationList(list)) return undefined;
    if (declared.type !== undefined || (list.flags & syntax.NodeFlags.Const) === 0) return undefined;
    if (syntax.isForOfStatement(list.parent)) {
      const items = await itemOrigins(await trace(list.parent.expression), view);
      return list.parent.awaitModifier === undefined ? items : awaited(items);
    }
    return declared.initializer === undefined ? undefined : trace(declared.initializer);
  }
  if (syntax.isParameterDeclaration(declared)) return parameterOrigins(declared, view, trace);
  if (!syntax.isBindingElement(declared) || declared.initializer !== undefined) return undefined;
  if (declared.dotDotDotToken !== undefined) return undefined;
  const pattern = declared.parent;
  const of = await originsOfDeclaration(pattern.parent, view, trace);
  if (syntax.isArrayBindingPattern(pattern)) return maybe(await itemOrigins(of, view), true);
  const name = declared.propertyName ?? declared.name;
  if (name === undefined || !(syntax.isIdentifier(name) || syntax.isStringLiteral(name))) return undefined;
  return fieldOrigins(of, name.text, view);
}
