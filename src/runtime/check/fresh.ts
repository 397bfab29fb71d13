// Which variables stand for nothing but lists and objects that the program made itself: what is written into one of these,
// one level deep, is written into nothing that a tool gave. A name counts only if that is so wherever it is declared.
import { inner, isCallback, resultsOf, targetOf } from "./nodes.ts";
import { type Node, syntax } from "./typescript.ts";

/** Methods of lists and texts that give a new list each time. */
const givesNew = new Set(
  "map filter flatMap flat slice concat split toSorted toReversed toSpliced with matchAll".split(" "),
);
const makers: Readonly<Record<string, ReadonlySet<string>>> = {
  Object: new Set(["keys", "values", "entries", "fromEntries", "create", "groupBy"]),
  Array: new Set(["from", "of"]),
  JSON: new Set(["parse"]),
};

export function freshNames(nodes: readonly Node[]): ReadonlySet<string> {
  // A program may have methods of these names, that give what they please.
  const own = new Set<string>();
  for (const node of nodes) {
    const isMember = syntax.isMethodDeclaration(node) || syntax.isPropertyAssignment(node);
    if (isMember || syntax.isPropertyDeclaration(node)) own.add(node.name.getText());
  }
  const fresh = new Set<string>();
  const other = new Set<string>();
  const note = (name: string, isNew: boolean): unknown => (isNew ? fresh : other).add(name);

  for (const node of nodes) {
    const target = targetOf(node);
    if (target !== undefined) noteTarget(node, inner(target, true));
    if (syntax.isVariableDeclaration(node) && syntax.isIdentifier(node.name)) {
      const isPlain = syntax.isVariableStatement(node.parent.parent) || syntax.isForStatement(node.parent.parent);
      note(node.name.text, isPlain && (node.initializer === undefined || isFresh(node.initializer, own)));
    } else if (syntax.isParameterDeclaration(node) && syntax.isIdentifier(node.name)) {
      note(node.name.text, isAccumulator(node, own));
    } else if (syntax.isBindingElement(node) && node.name !== undefined && syntax.isIdentifier(node.name)) {
      other.add(node.name.text);
    } else if (syntax.isFunctionDeclaration(node) || syntax.isClassDeclaration(node)) {
      if (node.name !== undefined) other.add(node.name.text);
    }
  }

  function noteTarget(node: Node, target: Node): void {
    if (syntax.isIdentifier(target)) {
      const right = syntax.isBinaryExpression(node) ? node.right : undefined;
      const isCount = syntax.isPostfixUnaryExpression(node) || syntax.isPrefixUnaryExpression(node);
      note(target.text, isCount || (right !== undefined && isFresh(right, own)));
    } else if (syntax.isObjectLiteralExpression(target) || syntax.isArrayLiteralExpression(target)) {
      target.forEachChild(function visit(child: Node): undefined {
        if (syntax.isIdentifier(child)) other.add(child.text);
        child.forEachChild(visit);
      });
    }
  }

  return new Set([...fresh].filter((name) => !other.has(name)));
}

/** Whether each value of the expression is made right there. */
function isFresh(given: Node, own: ReadonlySet<string>): boolean {
  const node = inner(given, true);
  if (syntax.isObjectLiteralExpression(node) || syntax.isArrayLiteralExpression(node)) return true;
  if (syntax.isLiteralExpression(node) || syntax.isTemplateExpression(node)) return true;
  if (syntax.isNewExpression(node)) {
    return syntax.isIdentifier(node.expression) && /^(?:Map|Set|Array|Date)$/.test(node.expression.text);
  }
  if (syntax.isConditionalExpression(node)) return isFresh(node.whenTrue, own) && isFresh(node.whenFalse, own);
  if (!syntax.isCallExpression(node)) return false;
  const called = inner(node.expression, true);
  if (syntax.isIdentifier(called)) return called.text === "structuredClone";
  if (!syntax.isPropertyAccessExpression(called)) return false;
  const from = inner(called.expression, true);
  const method = called.name.text;
  if (own.has(method)) return false;
  const isMaker = syntax.isIdentifier(from) && Object.hasOwn(makers, from.text);
  return isMaker ? makers[from.text]?.has(method) === true : givesNew.has(method);
}

/** The first parameter of what `reduce` is given, where each step gives it back, or something new. */
function isAccumulator(parameter: syntax.ParameterDeclaration, own: ReadonlySet<string>): boolean {
  const step = parameter.parent;
  const call = step.parent;
  if (!isCallback(step) || step.parameters[0] !== parameter || !syntax.isCallExpression(call)) return false;
  const called = inner(call.expression);
  const [first, start] = call.arguments;
  if (first !== step || start === undefined || !syntax.isPropertyAccessExpression(called)) return false;
  if (!/^reduce(?:Right)?$/.test(called.name.text) || !isFresh(start, own)) return false;
  const name = parameter.name.getText();
  const gives = (given: Node): boolean => {
    const node = inner(given, true);
    if (syntax.isBinaryExpression(node) && node.operatorToken.kind === syntax.SyntaxKind.CommaToken) {
      return gives(node.right);
    }
    return (syntax.isIdentifier(node) && node.text === name) || isFresh(node, own);
  };
  return resultsOf(step).every((result) => result !== undefined && gives(result));
}
