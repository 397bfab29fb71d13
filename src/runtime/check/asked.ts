import { inner } from "./nodes.ts";
import { type Node, syntax } from "./typescript.ts";

/** Whether the program only asks if it is there: `a.b ?? c`, `if (a.b)`, `typeof a.b`, `a.b?.c`, `a.b === undefined`. */
export function isAsked(node: Node): boolean {
  let at = node;
  for (;;) {
    const { parent } = at;
    if (syntax.isBinaryExpression(parent)) {
      const { kind } = parent.operatorToken;
      if (isLogical(kind) && parent.left === at) return true;
      if (isEquality(kind) && [parent.left, parent.right].some(isNothing)) return true;
      // What is made of it may be what is asked for.
      if (!isLogical(kind) && !isEquality(kind)) return false;
    } else if (inner(parent, true) !== inner(at, true)) {
      return asks(parent, at);
    }
    at = parent;
  }
}

function asks(parent: Node, at: Node): boolean {
  if (syntax.isConditionalExpression(parent)) return parent.condition === at;
  if (syntax.isIfStatement(parent) || syntax.isWhileStatement(parent)) return parent.expression === at;
  if (syntax.isPrefixUnaryExpression(parent)) return parent.operator === syntax.SyntaxKind.ExclamationToken;
  if (syntax.isCallExpression(parent)) {
    if (parent.expression === at) return parent.questionDotToken !== undefined;
    return ["Array.isArray", "Boolean"].includes(parent.expression.getText());
  }
  if (syntax.isPropertyAccessExpression(parent) || syntax.isElementAccessExpression(parent)) {
    return parent.expression === at && parent.questionDotToken !== undefined;
  }
  return syntax.isTypeOfExpression(parent) || syntax.isDeleteExpression(parent);
}

const isNothing = (node: Node): boolean => ["undefined", "null"].includes(node.getText());

function isLogical(operator: syntax.SyntaxKind): boolean {
  const { BarBarToken, AmpersandAmpersandToken, QuestionQuestionToken } = syntax.SyntaxKind;
  return operator === BarBarToken || operator === AmpersandAmpersandToken || operator === QuestionQuestionToken;
}

function isEquality(operator: syntax.SyntaxKind): boolean {
  const { SyntaxKind } = syntax;
  return (
    operator === SyntaxKind.EqualsEqualsToken ||
    operator === SyntaxKind.EqualsEqualsEqualsToken ||
    operator === SyntaxKind.ExclamationEqualsToken ||
    operator === SyntaxKind.ExclamationEqualsEqualsToken
  );
}
