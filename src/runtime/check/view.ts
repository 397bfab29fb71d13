import { engineGlobals, addedGlobals } from "../../program-globals.ts";
import type { Questions } from "./questions.ts";
import type { Survey } from "./survey.ts";
import { type Node, type Signature, type SourceFile, type Symbol, syntax } from "./typescript.ts";

/** A checked program as it is judged: its tree, its types, and which of them the declarations of the tools declare. */
export interface View {
  readonly checker: Questions;
  readonly file: SourceFile;
  readonly survey: Survey;
  readonly isOwn: (symbol: Symbol | undefined) => boolean;
  /** The node that declares what a name stands for in the program itself. */
  readonly declarationOf: (name: syntax.Identifier) => Promise<Node | undefined>;
  /** The name of the tool that a signature is of. */
  readonly toolOf: (signature: Signature | undefined) => Promise<string | undefined>;
  /** Whether the expression is a name that the language or the sandbox defines. */
  readonly isGlobal: (expression: Node) => boolean;
}

export interface ViewOptions {
  readonly checker: Questions;
  readonly file: SourceFile;
  readonly survey: Survey;
  /** Where the declarations of the tools lie. */
  readonly declarations: string;
}

const globals: ReadonlySet<string> = new Set([...engineGlobals, ...addedGlobals]);

export function createView({ checker, file, survey, declarations }: ViewOptions): View {
  const program = file.fileName;
  const tools = new Map<Signature, string | undefined>();

  async function resolveTool(signature: Signature): Promise<string | undefined> {
    if (signature.declaration?.path !== declarations) return undefined;
    const declared = await signature.declaration.resolve();
    if (declared === undefined || !syntax.isMethodSignatureDeclaration(declared)) return undefined;
    const { name } = declared;
    return syntax.isIdentifier(name) || syntax.isStringLiteral(name) ? name.text : undefined;
  }

  return {
    checker,
    file,
    survey,
    isOwn: (symbol) => symbol?.declarations.some(({ path }) => path === declarations) === true,
    async declarationOf(name) {
      const named = survey.declared.get(name.text);
      if (named === undefined) return undefined;
      // The only one of its name, unless the name is a global's too.
      if (named.length === 1 && !globals.has(name.text)) return named[0];
      const symbol = await checker.getSymbolAtLocation(name);
      const [only, ...others] = symbol?.declarations ?? [];
      return only?.path === program && others.length === 0 ? only.resolve() : undefined;
    },
    async toolOf(signature) {
      if (signature === undefined) return undefined;
      if (!tools.has(signature)) tools.set(signature, await resolveTool(signature));
      return tools.get(signature);
    },
    isGlobal: (expression) =>
      syntax.isIdentifier(expression) && globals.has(expression.text) && !survey.declared.has(expression.text),
  };
}
