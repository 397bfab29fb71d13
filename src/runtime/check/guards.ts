// Parts of a program that may never run, as what leads to them asks after something that is not there: `if (r.isError)
// throw r.content` of a result that has neither. What stands in them is held against no program.
import { holderOf } from "./asks.ts";
import { isAccess, isQuoted, nodesOf } from "./nodes.ts";
import { type Diagnostic, type Node, type SourceFile, syntax } from "./typescript.ts";

/** A field that is not there; values that are never equal. */
const absent: ReadonlySet<number> = new Set([2339, 2551]);
const unequal: ReadonlySet<number> = new Set([2367, 2678]);
/** Whether a diagnostic may say that a condition never holds. */
export const tellsOfGuards = (code: number): boolean => absent.has(code) || unequal.has(code);

/** Says of a node whether it may never be reached. */
export function createGuards(file: SourceFile, diagnostics: readonly Diagnostic[]): (node: Node) => boolean {
  const places = diagnostics.filter(({ code }) => tellsOfGuards(code)).map(({ pos }) => pos);
  const holders = new Set<string>();
  for (const { code, pos } of diagnostics) {
    if (!absent.has(code)) continue;
    const name = syntax.getTokenAtPosition(file, pos);
    if (isAccess(name.parent)) holders.add(holderOf(name.parent) ?? "");
    else if (syntax.isBindingElement(name.parent)) holders.add(name.parent.name?.getText() ?? "");
  }
  const known = new Map<Node, boolean>();

  function isDoubtful(condition: Node): boolean {
    const start = condition.getStart();
    if (places.some((pos) => pos >= start && pos < condition.end)) return true;
    return nodesOf(condition).some((node) => isQuoted(node) || (syntax.isIdentifier(node) && holders.has(node.text)));
  }

  function isGuard(condition: Node): boolean {
    const before = known.get(condition);
    if (before !== undefined) return before;
    const found = isDoubtful(condition);
    known.set(condition, found);
    return found;
  }

  return (node) => {
    for (let at = node; at.parent !== undefined; at = at.parent) if (conditionsOf(at).some(isGuard)) return true;
    return false;
  };
}

/** The conditions on which the part hangs that its parent has: of a branch, of what comes after a way out, of a case. */
function conditionsOf(part: Node): readonly Node[] {
  const { parent } = part;
  if (syntax.isIfStatement(parent)) return parent.expression === part ? [] : [parent.expression];
  if (syntax.isConditionalExpression(parent)) return parent.condition === part ? [] : [parent.condition];
  if (syntax.isWhileStatement(parent)) return parent.statement === part ? [parent.expression] : [];
  if (syntax.isForStatement(parent)) {
    return parent.statement === part && parent.condition !== undefined ? [parent.condition] : [];
  }
  if (syntax.isBinaryExpression(parent)) {
    const { AmpersandAmpersandToken, BarBarToken } = syntax.SyntaxKind;
    const { kind } = parent.operatorToken;
    // After `??` comes what is looked at where the field is not there.
    const mayStop = kind === AmpersandAmpersandToken || kind === BarBarToken;
    return mayStop && parent.right === part ? [parent.left] : [];
  }
  if (syntax.isCaseBlock(parent)) {
    const cases = parent.clauses.flatMap((one) => (syntax.isCaseClause(one) ? [one.expression] : []));
    return syntax.isSwitchStatement(parent.parent) ? [parent.parent.expression, ...cases] : cases;
  }
  if (!syntax.isBlock(parent) && !syntax.isSourceFile(parent)) return [];
  const before = parent.statements.slice(0, parent.statements.indexOf(part as syntax.Statement));
  return before.flatMap((one) => (syntax.isIfStatement(one) && mayLeave(one) ? [one.expression] : []));
}

function mayLeave(node: Node): boolean {
  return nodesOf(node).some(
    (one) =>
      syntax.isReturnStatement(one) ||
      syntax.isThrowStatement(one) ||
      syntax.isBreakStatement(one) ||
      syntax.isContinueStatement(one),
  );
}
