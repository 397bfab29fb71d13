// The fields that a program asks after before it relies on them, by their names: itself, through a variable that it tests
// later, or in a function of its own.
import { type Asking, askingOf } from "./asked.ts";
import { isAccess, isQuoted, outer } from "./nodes.ts";
import { type Node, syntax } from "./typescript.ts";

export interface Asks {
  /** Fields of which it asks whether they are there. */
  readonly present: ReadonlySet<string>;
  /** Fields of which it asks what they are where only a branch hangs on that. */
  readonly compared: ReadonlySet<string>;
}

/** The variable that an expression is all of. */
export function holderOf(expression: Node): string | undefined {
  let at = outer(expression);
  while (syntax.isAwaitExpression(at.parent)) at = outer(at.parent);
  const { parent } = at;
  if (syntax.isVariableDeclaration(parent) && parent.initializer === at && syntax.isIdentifier(parent.name)) {
    return parent.name.text;
  }
  const { EqualsToken } = syntax.SyntaxKind;
  if (syntax.isBinaryExpression(parent) && parent.operatorToken.kind === EqualsToken && parent.right === at) {
    return syntax.isIdentifier(parent.left) ? parent.left.text : undefined;
  }
  return undefined;
}

/** `declared` are the names that the program declares. */
export function asksOf(nodes: readonly Node[], declared: { has(name: string): boolean }): Asks {
  const tested = new Map<string, Asking>();
  for (const node of nodes) {
    if (!syntax.isIdentifier(node)) continue;
    const asking = askingOf(node);
    if (asking !== undefined && tested.get(node.text) !== "presence") tested.set(node.text, asking);
  }
  const names: Readonly<Record<Asking, Set<string>>> = { presence: new Set(), value: new Set() };

  function note(name: string | undefined, asking: Asking | undefined): void {
    if (name !== undefined && asking !== undefined) names[asking].add(name);
  }

  function seeField(node: Node, name: string): void {
    note(name, askingOf(node));
    note(name, tested.get(holderOf(node) ?? ""));
    const { parent } = outer(node);
    const isGiven = syntax.isCallExpression(parent) && parent.expression !== outer(node);
    if (isGiven && syntax.isIdentifier(parent.expression) && declared.has(parent.expression.text)) {
      note(name, "presence");
    }
  }

  for (const node of nodes) {
    if (syntax.isPropertyAccessExpression(node)) seeField(node, node.name.text);
    else if (isQuoted(node)) seeField(node, node.argumentExpression.text);
    else if (syntax.isStringLiteralLikeNode(node) && isNamedInTest(node)) note(node.text, "presence");
    else if (syntax.isBindingElement(node)) {
      const name = (node.propertyName ?? node.name)?.getText();
      note(name, node.initializer !== undefined ? "presence" : tested.get(node.name?.getText() ?? ""));
    }
  }
  return { present: names.presence, compared: names.value };
}

/** A name in `"name" in value`, `Object.hasOwn(value, "name")`, `value.hasOwnProperty("name")`, `keys.includes("name")`. */
function isNamedInTest(text: Node): boolean {
  const { parent } = outer(text);
  if (syntax.isBinaryExpression(parent)) return parent.operatorToken.kind === syntax.SyntaxKind.InKeyword;
  if (!syntax.isCallExpression(parent) || !isAccess(parent.expression)) return false;
  return /\.\s*(?:hasOwn|hasOwnProperty|has|includes|indexOf|propertyIsEnumerable)$/.test(parent.expression.getText());
}
