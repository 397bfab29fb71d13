import { type Expression, type Node, syntax } from "./typescript.ts";

export type Access = syntax.PropertyAccessExpression | syntax.ElementAccessExpression;
export type Quoted = syntax.ElementAccessExpression & { readonly argumentExpression: syntax.StringLiteralLikeNode };
export type Callback = syntax.ArrowFunction | syntax.FunctionExpression;

export const isAccess = (node: Node): node is Access =>
  syntax.isPropertyAccessExpression(node) || syntax.isElementAccessExpression(node);

export function isQuoted(node: Node): node is Quoted {
  return syntax.isElementAccessExpression(node) && syntax.isStringLiteralLikeNode(node.argumentExpression);
}

/** A function that is written where it is used, under no name that would let it be called from elsewhere. */
export const isCallback = (node: Node | undefined): node is Callback =>
  node !== undefined &&
  (syntax.isArrowFunction(node) || (syntax.isFunctionExpression(node) && node.name === undefined));

const isWrapped = (
  node: Node,
  casts: boolean,
): node is
  | syntax.ParenthesizedExpression
  | syntax.NonNullExpression
  | syntax.SatisfiesExpression
  | syntax.TypeAssertion
  | syntax.AsExpression =>
  syntax.isParenthesizedExpression(node) ||
  syntax.isNonNullExpression(node) ||
  syntax.isSatisfiesExpression(node) ||
  (casts && syntax.isTypeAssertion(node)) ||
  (syntax.isAsExpression(node) && (casts || node.type.getText() === "const"));

/** The expression inside brackets, `!`, `satisfies`, `as const` and, where `casts`, every cast. */
export function inner(node: Node, casts = false): Node {
  let at = node;
  while (isWrapped(at, casts)) at = at.expression;
  return at;
}

/** The outermost of the brackets and casts around an expression. */
export function outer(node: Node): Node {
  let at = node;
  while (at.parent !== undefined && isWrapped(at.parent, true)) at = at.parent;
  return at;
}

/** The name under which a field is read or written, where the text tells it. */
export function fieldOf(node: Access): string | undefined {
  if (syntax.isPropertyAccessExpression(node)) return node.name.text;
  const key = inner(node.argumentExpression, true);
  return syntax.isStringLiteralLikeNode(key) || syntax.isNumericLiteral(key) ? key.text : undefined;
}

/** The variable that a chain of fields starts from. */
export function rootOf(node: Node): string | undefined {
  let at = inner(node, true);
  while (isAccess(at)) at = inner(at.expression, true);
  return syntax.isIdentifier(at) ? at.text : undefined;
}

/** The node that names a property of an object literal; of `...rest` there is none. */
export const nameNode = (property: syntax.ObjectLiteralElementLike): syntax.PropertyName | undefined =>
  syntax.isSpreadAssignment(property) ? undefined : property.name;

/** The name of a property of an object literal, where the text tells it; `__proto__: x` names nothing. */
export function nameOf(property: syntax.ObjectLiteralElementLike): string | undefined {
  const name = nameNode(property);
  if (name === undefined) return undefined;
  const text =
    syntax.isIdentifier(name) || syntax.isStringLiteral(name) || syntax.isNumericLiteral(name) ? name.text : undefined;
  return text === "__proto__" ? undefined : text;
}

/** What a property of an object literal is given, where that stands there. */
export function valueOf(property: syntax.ObjectLiteralElementLike): Expression | undefined {
  if (syntax.isPropertyAssignment(property)) return property.initializer;
  return syntax.isShorthandPropertyAssignment(property) && syntax.isIdentifier(property.name)
    ? property.name
    : undefined;
}

/** What is written to by an assignment, `++`, `--`, `delete`, or a loop over what is no declaration. */
export function targetOf(node: Node): Node | undefined {
  if (syntax.isBinaryExpression(node))
    return syntax.isAssignmentOperator(node.operatorToken.kind) ? node.left : undefined;
  if (syntax.isDeleteExpression(node)) return node.expression;
  if (syntax.isPostfixUnaryExpression(node)) return node.operand;
  if (syntax.isForOfStatement(node) || syntax.isForInStatement(node)) {
    return syntax.isVariableDeclarationList(node.initializer) ? undefined : node.initializer;
  }
  if (!syntax.isPrefixUnaryExpression(node)) return undefined;
  const { PlusPlusToken, MinusMinusToken } = syntax.SyntaxKind;
  return node.operator === PlusPlusToken || node.operator === MinusMinusToken ? node.operand : undefined;
}

/** Every node, without recursion. */
export function nodesOf(root: Node): readonly Node[] {
  const nodes: Node[] = [root];
  // The list grows while it is read.
  for (const node of nodes) {
    node.forEachChild((child) => {
      nodes.push(child);
    });
  }
  return nodes;
}

/** What a function itself gives back, the functions in it apart; `undefined` stands for a bare `return`. */
export function resultsOf(given: syntax.FunctionLikeDeclaration): readonly (Expression | undefined)[] {
  const { body } = given;
  if (body === undefined) return [];
  if (!syntax.isBlock(body)) return [body];
  const found: (Expression | undefined)[] = [];
  const left: Node[] = [body];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (syntax.isReturnStatement(node)) found.push(node.expression);
    node.forEachChild((child) => {
      if (!syntax.isFunctionLikeDeclaration(child)) left.push(child);
    });
  }
  return found;
}
