import type { Node } from "./syntax.ts";
import { walk } from "./walk.ts";

/** What one walk over the tree finds out; a number is an offset, the first one where several could be meant. */
export interface Survey {
  readonly tooDeep: number | undefined;
  readonly decorator: number | undefined;
  readonly importCall: number | undefined;
  readonly importMeta: number | undefined;
  /** A template directly behind an empty template at this offset: how a Markdown fence looks to the parser. */
  readonly doubleTemplate: number | undefined;
  /** `a<!--b`, which a script reads as a comment: the offset of the `!`. */
  readonly htmlComments: readonly number[];
  /** The returns that belong to the program itself. */
  readonly returns: readonly Return[];
  /** Whether anything must be erased or lowered before V8 can read it. */
  readonly typescript: boolean;
  /** Whether something is legal only outside functions: a namespace or an import alias. */
  readonly namespaces: boolean;
}

export interface Return {
  readonly at: number;
  readonly bare: boolean;
}

const modifiers = ["accessibility", "readonly", "abstract", "override", "declare", "definite"] as const;

function isTypeScript(node: Node): boolean {
  if (node.type.startsWith("TS")) return true;
  switch (node.type) {
    case "VariableDeclaration":
      return node.kind === "using" || node.kind === "await using" || node.declare === true;
    case "Identifier":
      return node.optional === true || node.name === "this";
    case "ClassAccessorProperty":
      return true;
    case "ClassDeclaration":
    case "ClassProperty":
    case "ClassPrivateProperty":
    case "ClassMethod":
    case "ClassPrivateMethod": {
      const fields = node as unknown as Readonly<Record<string, unknown>>;
      return (
        fields.optional === true ||
        modifiers.some((name) => fields[name] !== undefined && fields[name] !== false && fields[name] !== null)
      );
    }
    default:
      return false;
  }
}

/** Looks at the whole program; what lies in `erased` (types alone) counts for nothing. */
export function survey(root: Node, text: string, erased: ReadonlySet<Node>, maxDepth: number): Survey {
  const first: Record<"tooDeep" | "decorator" | "importCall" | "importMeta" | "doubleTemplate", number | undefined> = {
    tooDeep: undefined,
    decorator: undefined,
    importCall: undefined,
    importMeta: undefined,
    doubleTemplate: undefined,
  };
  const found = (what: keyof typeof first, at: number): void => {
    first[what] = Math.min(first[what] ?? at, at);
  };
  const htmlComments: number[] = [];
  const returns: Return[] = [];
  let typescript = false;
  let namespaces = false;
  walk(root, (node, depth, inFunction) => {
    if (erased.has(node)) return false;
    const at = node.start ?? 0;
    if (depth > maxDepth) {
      found("tooDeep", at);
      return false;
    }
    if (!typescript && isTypeScript(node)) typescript = true;
    switch (node.type) {
      case "Decorator":
        found("decorator", at);
        break;
      case "ImportExpression":
        found("importCall", at);
        break;
      case "MetaProperty":
        if (node.meta.name === "import") found("importMeta", at);
        break;
      case "TSModuleDeclaration":
      case "TSImportEqualsDeclaration":
        namespaces = true;
        break;
      case "TaggedTemplateExpression":
        if (node.tag.type === "TemplateLiteral" && node.tag.end === (node.tag.start ?? 0) + 2)
          found("doubleTemplate", at);
        break;
      case "BinaryExpression": {
        const right = node.right.start ?? 0;
        if (node.operator === "<" && text.slice(right - 1, right + 3) === "<!--") htmlComments.push(right);
        break;
      }
      case "ReturnStatement":
        if (!inFunction) returns.push({ at, bare: node.argument === null || node.argument === undefined });
        break;
      default:
    }
    return undefined;
  });
  return { ...first, htmlComments, returns, typescript, namespaces };
}
