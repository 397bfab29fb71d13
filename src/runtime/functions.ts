import type { Node, Statement } from "./syntax.ts";
import { walk } from "./walk.ts";

/** The expression inside brackets and type annotations. */
export function unwrap(node: Node): Node {
  let inner = node;
  while (
    inner.type === "ParenthesizedExpression" ||
    inner.type === "TSAsExpression" ||
    inner.type === "TSSatisfiesExpression" ||
    inner.type === "TSNonNullExpression" ||
    inner.type === "TSTypeAssertion"
  ) {
    inner = inner.expression;
  }
  return inner;
}

export type FunctionNode = Extract<
  Node,
  { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }
>;

export function asFunction(node: Node): FunctionNode | undefined {
  const inner = unwrap(node);
  return inner.type === "FunctionDeclaration" ||
    inner.type === "FunctionExpression" ||
    inner.type === "ArrowFunctionExpression"
    ? inner
    : undefined;
}

/** What a call of the program's own function passes: the tools, where its first parameter asks for them by name. */
export function argumentsOf(called: FunctionNode): string {
  const [first] = called.params;
  if (first?.type === "Identifier" && first.name === "tools") return "tools";
  if (first?.type !== "ObjectPattern") return "";
  const wantsTools = first.properties.some(
    (property) =>
      property.type === "ObjectProperty" && property.key.type === "Identifier" && property.key.name === "tools",
  );
  return wantsTools ? "{ tools }" : "";
}

/** Whether the function works when called with what `argumentsOf` gives. */
export function callableAlone(called: FunctionNode): boolean {
  const [first] = called.params;
  return (
    called.params.length === 0 ||
    (called.params.length === 1 && (first?.type === "AssignmentPattern" || argumentsOf(called) !== ""))
  );
}

export interface NamedFunction {
  readonly name: string;
  readonly node: FunctionNode;
  /** The declaration it comes from. */
  readonly statement: Statement;
}

/** The functions that a statement of the program's top declares: `function f() {}` and `const f = () => {}`. */
export function functionsOf(statement: Statement): NamedFunction[] {
  if (statement.type === "FunctionDeclaration") {
    const name = statement.id?.name;
    return name === undefined ? [] : [{ name, node: statement, statement }];
  }
  if (statement.type !== "VariableDeclaration") return [];
  return statement.declarations.flatMap((declared) => {
    const node = declared.init ? asFunction(declared.init) : undefined;
    return node !== undefined && declared.id.type === "Identifier" ? [{ name: declared.id.name, node, statement }] : [];
  });
}

const within = (at: number, node: Node): boolean => at >= (node.start ?? 0) && at < (node.end ?? 0);

/** The names of `functions` that the program uses anywhere but in the function itself. */
export function mentioned(
  root: Node,
  functions: readonly NamedFunction[],
  erased: ReadonlySet<Node>,
): ReadonlySet<string> {
  const names = new Set<string>();
  const keys = new Set<Node>();
  walk(root, (node) => {
    if (erased.has(node)) return false;
    // Property names are no mention of a variable.
    if ((node.type === "MemberExpression" || node.type === "OptionalMemberExpression") && !node.computed)
      keys.add(node.property);
    if ((node.type === "ObjectProperty" || node.type === "ObjectMethod") && !node.computed) {
      if (node.type === "ObjectMethod" || !node.shorthand) keys.add(node.key);
    }
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier") keys.add(node.id);
    if (node.type === "FunctionDeclaration" && node.id) keys.add(node.id);
    if (node.type !== "Identifier" || keys.has(node)) return undefined;
    const own = functions.find((candidate) => candidate.name === node.name);
    if (own !== undefined && !within(node.start ?? 0, own.node)) names.add(node.name);
    return undefined;
  });
  return names;
}
