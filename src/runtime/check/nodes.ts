import { type Node, syntax } from "./typescript.ts";

type Access = syntax.PropertyAccessExpression | syntax.ElementAccessExpression;
export type Quoted = syntax.ElementAccessExpression & { readonly argumentExpression: syntax.StringLiteralLikeNode };

export const isAccess = (node: Node): node is Access =>
  syntax.isPropertyAccessExpression(node) || syntax.isElementAccessExpression(node);

export function isQuoted(node: Node): node is Quoted {
  return syntax.isElementAccessExpression(node) && syntax.isStringLiteralLikeNode(node.argumentExpression);
}

const isWrapped = (
  node: Node,
  casts: boolean,
): node is
  | syntax.ParenthesizedExpression
  | syntax.NonNullExpression
  | syntax.SatisfiesExpression
  | syntax.AsExpression =>
  syntax.isParenthesizedExpression(node) ||
  syntax.isNonNullExpression(node) ||
  syntax.isSatisfiesExpression(node) ||
  (syntax.isAsExpression(node) && (casts || node.type.getText() === "const"));

/** The expression inside brackets, `!`, `satisfies`, `as const` and, where `casts`, every `as`. */
export function inner(node: Node, casts = false): Node {
  let at = node;
  while (isWrapped(at, casts)) at = at.expression;
  return at;
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
