import type { Survey } from "./survey.ts";
import {
  type Checker,
  type Node,
  type Signature,
  type SourceFile,
  type Symbol,
  syntax,
  type Type,
} from "./typescript.ts";

/** A checked program as it is judged: its tree, its types, and which of them the declarations of the tools declare. */
export interface View {
  readonly checker: Checker;
  readonly file: SourceFile;
  readonly survey: Survey;
  readonly isOwn: (symbol: Symbol | undefined) => boolean;
  /** The node that declares something in the program itself. */
  readonly declarationOf: (symbol: Symbol | undefined) => Promise<Node | undefined>;
  /** The name of the tool that a signature is of. */
  readonly toolOf: (signature: Signature | undefined) => Promise<string | undefined>;
  /** Whether the expression is a name that the language or the sandbox defines. */
  readonly isGlobal: (expression: Node) => Promise<boolean>;
}

export interface ViewOptions {
  readonly checker: Checker;
  readonly file: SourceFile;
  readonly survey: Survey;
  /** Where the declarations of the tools lie. */
  readonly declarations: string;
}

export function createView({ checker, file, survey, declarations }: ViewOptions): View {
  const program = file.fileName;
  return {
    checker,
    file,
    survey,
    isOwn: (symbol) => symbol?.declarations.some(({ path }) => path === declarations) === true,
    async declarationOf(symbol) {
      const [only, ...others] = symbol?.declarations ?? [];
      return only?.path === program && others.length === 0 ? only.resolve() : undefined;
    },
    async toolOf(signature) {
      if (signature?.declaration?.path !== declarations) return undefined;
      const declared = await signature.declaration.resolve();
      if (declared === undefined || !syntax.isMethodSignatureDeclaration(declared)) return undefined;
      const { name } = declared;
      return syntax.isIdentifier(name) || syntax.isStringLiteral(name) ? name.text : undefined;
    },
    async isGlobal(expression) {
      const symbol = syntax.isIdentifier(expression) ? await checker.getSymbolAtLocation(expression) : undefined;
      return symbol !== undefined && symbol.declarations.every(({ path }) => path !== program && path !== declarations);
    },
  };
}

/** The types that a value of this type may be of: those of a union, else the type. */
export async function membersOf(type: Type): Promise<readonly Type[]> {
  return type.isUnionType() ? type.getTypes() : [type];
}
