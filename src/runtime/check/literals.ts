// The object literal that a `const` stands for, where it is still as it was written: each use of the name is a read of
// something plain, or hands it to a tool. What may keep a part of it, or write into one, makes it unknown.
import { fieldOf, inner, isAccess, nameOf, outer, rootOf, valueOf } from "./nodes.ts";
import { type Expression, type Node, syntax } from "./typescript.ts";
import type { View } from "./view.ts";

/** The literal that an expression is or names, else the expression. */
export async function literalOf(given: Expression, { declarationOf, survey }: View): Promise<Node> {
  const value = inner(given);
  if (!syntax.isIdentifier(value) || survey.writes.changed.has(value.text)) return value;
  const declared = await declarationOf(value);
  if (declared === undefined || !syntax.isVariableDeclaration(declared) || declared.type !== undefined) return value;
  if ((declared.parent.flags & syntax.NodeFlags.Const) === 0 || declared.initializer === undefined) return value;
  const literal = inner(declared.initializer);
  if (!syntax.isObjectLiteralExpression(literal)) return value;
  const { targets } = survey.writes;
  const uses = survey.uses.get(value.text) ?? [];
  return uses.every((use) => isHarmless(use, literal, targets)) ? literal : value;
}

/** Methods of lists and objects that give nothing of what is in them to anybody. */
const looking = new Set("join includes indexOf hasOwnProperty toString".split(" "));
const lookers = /^(?:console\.\w+|JSON\.stringify|Object\.keys|Array\.isArray|String|Boolean)$/;

function isHarmless(use: syntax.Identifier, literal: Node, targets: ReadonlySet<Node>): boolean {
  if (syntax.isTypeQueryNode(use.parent)) return true;
  let at = outer(use);
  let part: Node | undefined = literal;
  while (isAccess(at.parent) && at.parent.expression === at) {
    if (targets.has(at.parent)) return false;
    const name = fieldOf(at.parent);
    const isCalled = isCallee(at.parent) && part !== undefined && isContainer(part);
    if (isCalled && name !== undefined && looking.has(name)) return true;
    // Of a part that the text does not tell, all is looked at.
    if (name === undefined) return isFlat(part) && !isCallee(at.parent);
    const next: Node | undefined = part === undefined ? undefined : partOf(part, name);
    if (next === undefined && isCalled) return false;
    part = next;
    at = outer(at.parent);
  }
  return part === undefined || !isContainer(part) || isHanded(at, part);
}

function isCallee(node: Node): boolean {
  const whole = outer(node);
  return syntax.isCallExpression(whole.parent) && whole.parent.expression === whole;
}

const isContainer = (node: Node): boolean =>
  syntax.isObjectLiteralExpression(node) || syntax.isArrayLiteralExpression(node);

/** What a field of a literal is given; itself where that cannot be told. */
function partOf(literal: Node, name: string): Node | undefined {
  if (syntax.isObjectLiteralExpression(literal)) {
    if (literal.properties.some((property) => nameOf(property) === undefined)) return literal;
    const property = literal.properties.findLast((one) => nameOf(one) === name);
    const value = property === undefined ? undefined : valueOf(property);
    return value === undefined ? undefined : inner(value, true);
  }
  if (!syntax.isArrayLiteralExpression(literal)) return undefined;
  if (literal.elements.some((element) => syntax.isSpreadElement(element))) return literal;
  const element = literal.elements[Number(name)];
  return element === undefined ? undefined : inner(element, true);
}

/** Whether a copy of it, one level deep, shares nothing with it. */
function isFlat(literal: Node | undefined): boolean {
  if (literal === undefined || !isContainer(literal)) return true;
  if (syntax.isArrayLiteralExpression(literal)) return literal.elements.every((one) => !isContainer(inner(one, true)));
  return (
    syntax.isObjectLiteralExpression(literal) &&
    literal.properties.every((property) => {
      const value = valueOf(property);
      return nameOf(property) !== undefined && value !== undefined && !isContainer(inner(value, true));
    })
  );
}

/** Whether a list or an object goes only where it is read. */
function isHanded(node: Node, literal: Node): boolean {
  const { parent } = node;
  if (syntax.isTypeOfExpression(parent)) return true;
  const isSpread = syntax.isSpreadAssignment(parent) || syntax.isSpreadElement(parent);
  if (isSpread && isFlat(literal)) return true;
  if (syntax.isCallExpression(parent) && parent.expression !== node && lookers.test(parent.expression.getText())) {
    return true;
  }
  return isOfTool(node);
}

/** Whether it stands in the arguments of a tool's call, at any depth of literals. */
function isOfTool(node: Node): boolean {
  for (let at = node; ; at = outer(at.parent)) {
    const { parent } = at;
    if (syntax.isCallExpression(parent)) {
      return parent.expression !== at && rootOf(parent.expression) === "tools";
    }
    const isPart = syntax.isObjectLiteralElementLike(parent) || syntax.isSpreadElement(parent) || isContainer(parent);
    if (!isPart) return false;
  }
}
