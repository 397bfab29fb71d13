import type { Node } from "./syntax.ts";

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

const scopes = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ObjectMethod",
  "ClassMethod",
  "ClassPrivateMethod",
]);

// Edges along which long chains grow that nobody would call nested: a.b.c, a + b + c, else if, a ? b : c ? d : e.
const chains: Readonly<Record<string, string>> = {
  MemberExpression: "object",
  OptionalMemberExpression: "object",
  CallExpression: "callee",
  OptionalCallExpression: "callee",
  TSNonNullExpression: "expression",
  TaggedTemplateExpression: "tag",
  BinaryExpression: "left",
  LogicalExpression: "left",
  IfStatement: "alternate",
  ConditionalExpression: "alternate",
};

/**
 * Visits every node without recursion, in no promised order; `false` leaves out what is below. `depth` counts the levels
 * above a node, ten links of a chain as one; `inFunction` says whether it lies in a function of the program.
 */
export function walk(root: Node, visit: (node: Node, depth: number, inFunction: boolean) => void | false): void {
  const nodes: Node[] = [root];
  const depths: number[] = [0];
  const within: boolean[] = [false];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const depth = depths.pop() ?? 0;
    const inFunction = within.pop() ?? false;
    if (visit(node, depth, inFunction) === false) continue;
    const inside = inFunction || scopes.has(node.type);
    const chain = chains[node.type];
    const fields = node as unknown as Readonly<Record<string, unknown>>;
    for (const key in fields) {
      if (key === "loc" || key === "extra") continue;
      const value = fields[key];
      if (typeof value !== "object" || value === null) continue;
      if (Array.isArray(value)) {
        for (const item of value) {
          if (!isNode(item)) continue;
          nodes.push(item);
          depths.push(depth + 1);
          within.push(inside);
        }
      } else if (isNode(value)) {
        nodes.push(value);
        depths.push(depth + (key === chain ? 0.1 : 1));
        within.push(inside);
      }
    }
  }
}
