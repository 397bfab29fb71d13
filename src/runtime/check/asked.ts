// Whether a program only asks if something is there, so that nothing rests on it: `a.b ?? c`, `if (a.b)`, `typeof a.b`,
// `a.b?.c`, `a.b === undefined`, `Array.isArray(a.b)`; or what it is, where only a branch hangs on that: `if (a.b === 1)`.
import { inner } from "./nodes.ts";
import { type Node, syntax } from "./typescript.ts";

/** Whether a value is there, or what it is. */
export type Asking = "presence" | "value";

const tests = new Set(["Array.isArray", "Boolean", "isNaN", "isFinite"]);

/** How the program asks after the expression, if it does. */
export function askingOf(node: Node): Asking | undefined {
  let at = node;
  let asking: Asking = "presence";
  for (;;) {
    const { parent } = at;
    if (parent === undefined) return undefined;
    if (syntax.isBinaryExpression(parent)) {
      const { kind } = parent.operatorToken;
      if (isEquality(kind)) {
        if ([parent.left, parent.right].some(isNothing)) return "presence";
        asking = "value";
      } else if (isOrder(kind)) asking = "value";
      else if (!isLogical(kind)) return undefined;
      // A comparison before `&&` may be all that a filter does: what it is for is told further out.
      else if (parent.left === at && asking === "presence") return asking;
    } else if (inner(parent, true) !== inner(at, true)) {
      return asks(parent, at) ? asking : undefined;
    }
    at = parent;
  }
}

function asks(parent: Node, at: Node): boolean {
  if (syntax.isConditionalExpression(parent) || syntax.isForStatement(parent)) return parent.condition === at;
  if (syntax.isIfStatement(parent) || syntax.isWhileStatement(parent) || syntax.isDoStatement(parent)) {
    return parent.expression === at;
  }
  if (syntax.isSwitchStatement(parent) || syntax.isCaseClause(parent)) return parent.expression === at;
  if (syntax.isPrefixUnaryExpression(parent)) return parent.operator === syntax.SyntaxKind.ExclamationToken;
  if (syntax.isCallExpression(parent)) {
    if (parent.expression === at) return parent.questionDotToken !== undefined;
    const called = parent.expression.getText();
    return tests.has(called) || called.startsWith("Number.is");
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

function isOrder(operator: syntax.SyntaxKind): boolean {
  const { LessThanToken, LessThanEqualsToken, GreaterThanToken, GreaterThanEqualsToken } = syntax.SyntaxKind;
  return [LessThanToken, LessThanEqualsToken, GreaterThanToken, GreaterThanEqualsToken].some((one) => one === operator);
}
