import { isAsked } from "./asked.ts";
import { inner, isAccess, isQuoted, nameNode, nodesOf, type Quoted, rootOf } from "./nodes.ts";
import { type Expression, type Node, syntax } from "./typescript.ts";

/** What a program does with fields and variables by itself, by their names: of that nothing is sure. */
export interface Survey {
  /** Fields that it writes anywhere. */
  readonly fields: ReadonlySet<string>;
  /** Fields of which it asks somewhere whether they are there. */
  readonly asked: ReadonlySet<string>;
  /** Variables whose value it writes into under names that it computes. */
  readonly computed: ReadonlySet<string>;
  /** Variables that it does more with than read their fields and hand them to tools. */
  readonly shared: ReadonlySet<string>;
  /** Reads of `x["name"]`, of which TypeScript says nothing. */
  readonly quoted: readonly Quoted[];
}

/** What is written to by an assignment, `++`, `--` or `delete`. */
function targetOf(node: Node): Expression | undefined {
  if (syntax.isBinaryExpression(node))
    return syntax.isAssignmentOperator(node.operatorToken.kind) ? node.left : undefined;
  if (syntax.isDeleteExpression(node)) return node.expression;
  if (syntax.isPostfixUnaryExpression(node)) return node.operand;
  if (!syntax.isPrefixUnaryExpression(node)) return undefined;
  const { PlusPlusToken, MinusMinusToken } = syntax.SyntaxKind;
  return node.operator === PlusPlusToken || node.operator === MinusMinusToken ? node.operand : undefined;
}

/** Whether no more is done with the variable here than to read a field, to spread it, or to hand it to a tool. */
function isPlainUse(identifier: Node): boolean {
  const { parent } = identifier;
  if (isAccess(parent)) return parent.expression !== identifier || targetOf(parent.parent) !== parent;
  if (syntax.isSpreadAssignment(parent) || syntax.isVariableDeclaration(parent)) {
    return !syntax.isVariableDeclaration(parent) || parent.name === identifier;
  }
  return syntax.isCallExpression(parent) && rootOf(parent.expression) === "tools";
}

/** The field that a node asks after. */
function askedName(node: Node): string | undefined {
  if (syntax.isPropertyAccessExpression(node)) return isAsked(node) ? node.name.text : undefined;
  if (isQuoted(node)) return isAsked(node) ? node.argumentExpression.text : undefined;
  if (syntax.isBindingElement(node) && node.initializer !== undefined) {
    return (node.propertyName ?? node.name)?.getText();
  }
  const asksIn = syntax.isBinaryExpression(node) && node.operatorToken.kind === syntax.SyntaxKind.InKeyword;
  return asksIn && syntax.isStringLiteral(node.left) ? node.left.text : undefined;
}

export function survey(root: Node): Survey {
  const fields = new Set<string>();
  const asked = new Set<string>();
  const computed = new Set<string>();
  const shared = new Set<string>();
  const quoted: Quoted[] = [];

  function write(target: Node): void {
    const to = inner(target, true);
    if (syntax.isPropertyAccessExpression(to)) fields.add(to.name.text);
    else if (isQuoted(to)) fields.add(to.argumentExpression.text);
    else if (syntax.isElementAccessExpression(to)) {
      const variable = rootOf(to);
      if (variable !== undefined) computed.add(variable);
    }
  }

  for (const node of nodesOf(root)) {
    const target = targetOf(node);
    if (target !== undefined) write(target);
    const name = askedName(node);
    if (name !== undefined) asked.add(name);
    if (isQuoted(node) && targetOf(node.parent) !== node) quoted.push(node);
    if (syntax.isIdentifier(node) && !isPlainUse(node)) shared.add(node.text);
    // Such as `Object.assign(value, { name })`: whoever is given names may write them.
    if (syntax.isCallExpression(node) && rootOf(node.expression) === "Object") {
      for (const inside of node.arguments.flatMap(nodesOf)) {
        if (syntax.isObjectLiteralElementLike(inside)) fields.add(nameNode(inside)?.getText() ?? "");
        else if (syntax.isStringLiteral(inside)) fields.add(inside.text);
      }
    }
  }
  return { fields, asked, computed, shared, quoted };
}
