import { parse } from "@babel/parser";
import { type Expression, type Node, traverseFast } from "@babel/types";

export interface Title {
  readonly line: number;
  /** What the title begins with as literal text; `undefined` where it begins with an expression. */
  readonly start: string | undefined;
  /** A skipped or planned test proves nothing. */
  readonly proves: boolean;
}

const makers = new Set(["each", "for", "skipIf", "runIf", "extend"]);
const idle = new Set(["skip", "todo"]);

/** The names from the root of `it.skip`, `it.each(rows)`, ``it.each`table` `` and the like. */
function chain(node: Node): string[] {
  switch (node.type) {
    case "Identifier":
      return [node.name];
    case "MemberExpression":
      return [...chain(node.object), node.property.type === "Identifier" ? node.property.name : ""];
    case "CallExpression":
      return chain(node.callee);
    case "TaggedTemplateExpression":
      return chain(node.tag);
    default:
      return [""];
  }
}

function literalStart(node: Node | undefined): string | undefined {
  switch (node?.type) {
    case "StringLiteral":
      return node.value;
    case "TemplateLiteral":
      return node.quasis[0]?.value.cooked ?? undefined;
    case "BinaryExpression":
      return literalStart(node.left);
    default:
      return undefined;
  }
}

function isTest(callee: Expression | Node): boolean {
  const names = chain(callee);
  if (names[0] !== "it" && names[0] !== "test") return false;
  return callee.type !== "MemberExpression" || !makers.has(names.at(-1) ?? "");
}

/** The title of every `it` and `test` of a test file, in order. */
export function readTitles(text: string): Title[] {
  const titles: Title[] = [];
  const tree = parse(text, { sourceType: "module", plugins: ["typescript"] });
  traverseFast(tree, (node) => {
    if (node.type !== "CallExpression" || !isTest(node.callee)) return;
    titles.push({
      line: node.loc?.start.line ?? 0,
      start: literalStart(node.arguments[0]),
      proves: !chain(node.callee).some((name) => idle.has(name)),
    });
  });
  return titles;
}
