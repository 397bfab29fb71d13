import { type Asks, asksOf } from "./asks.ts";
import { freshNames } from "./fresh.ts";
import { isQuoted, nodesOf, outer, type Quoted, targetOf } from "./nodes.ts";
import { type Node, syntax } from "./typescript.ts";
import { type Writes, writesOf } from "./writes.ts";

/** What a program does with fields and variables by itself, by their names: of that nothing is sure. */
export interface Survey {
  /** All of it, the outer before the inner. */
  readonly nodes: readonly Node[];
  readonly writes: Writes;
  readonly asks: Asks;
  /** The nodes that declare a name, anywhere. */
  readonly declared: ReadonlyMap<string, readonly Node[]>;
  /** Where a name stands for a variable, its declarations apart. */
  readonly uses: ReadonlyMap<string, readonly syntax.Identifier[]>;
  /** Whether it has numbers of the kind that JSON has not. */
  readonly bigints: boolean;
  /** Reads of `x["name"]`, of which TypeScript says nothing. */
  readonly quoted: readonly Quoted[];
}

export function survey(root: Node): Survey {
  const nodes = nodesOf(root);
  const declared = new Map<string, Node[]>();
  const uses = new Map<string, syntax.Identifier[]>();
  const quoted: Quoted[] = [];
  const written = new Set<Node>();
  let bigints = false;

  for (const node of nodes) {
    const target = targetOf(node);
    if (target !== undefined) written.add(target);
    if (syntax.isBigIntLiteral(node)) bigints = true;
    if (isQuoted(node) && !written.has(outer(node))) quoted.push(node);
    if (!syntax.isIdentifier(node)) continue;
    if (node.text === "BigInt") bigints = true;
    const { parent } = node;
    if (declares(parent) && parent.name === node) put(declared, node.text, parent);
    else if (!names(parent, node)) put(uses, node.text, node);
  }
  const writes = writesOf(nodes, freshNames(nodes));
  return { nodes, writes, asks: asksOf(nodes, declared), declared, uses, bigints, quoted };
}

function put<T>(map: Map<string, T[]>, name: string, item: T): void {
  const items = map.get(name);
  if (items === undefined) map.set(name, [item]);
  else items.push(item);
}

type Declaring =
  | syntax.VariableDeclaration
  | syntax.ParameterDeclaration
  | syntax.BindingElement
  | syntax.FunctionDeclaration
  | syntax.FunctionExpression
  | syntax.ClassDeclaration
  | syntax.ClassExpression
  | syntax.EnumDeclaration
  | syntax.ModuleDeclaration;

const declares = (node: Node): node is Declaring =>
  syntax.isVariableDeclaration(node) ||
  syntax.isParameterDeclaration(node) ||
  syntax.isBindingElement(node) ||
  syntax.isFunctionDeclaration(node) ||
  syntax.isFunctionExpression(node) ||
  syntax.isClassDeclaration(node) ||
  syntax.isClassExpression(node) ||
  syntax.isEnumDeclaration(node) ||
  syntax.isModuleDeclaration(node);

/** Whether the identifier names a field or a property there, no variable. */
function names(parent: Node, node: Node): boolean {
  if (syntax.isPropertyAccessExpression(parent)) return parent.name === node;
  if (syntax.isPropertyAssignment(parent)) return parent.name === node;
  return syntax.isBindingElement(parent) && parent.propertyName === node;
}
