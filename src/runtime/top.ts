// Reads the statements at a program's top: imports and exports are for modules, and a program is none. What holds types
// alone is taken out, `export` is dropped, and every other import is refused.
import { blank, type Edit } from "./edits.ts";
import { argumentsOf, asFunction, unwrap } from "./functions.ts";
import type { Node, Program, Statement } from "./syntax.ts";

export interface Top {
  readonly edits: readonly Edit[];
  /** Statements that hold types alone; `edits` takes them out. */
  readonly erased: ReadonlySet<Node>;
  /** The statements that are left, without their `export`. */
  readonly statements: readonly Statement[];
  /** What `export default` gives: an expression, or the name of something declared at the top. */
  readonly exported: { readonly expression: string } | { readonly name: string } | undefined;
}

export interface Refused {
  readonly at: number;
  readonly from: string;
}

const start = (node: Node): number => node.start ?? 0;
const end = (node: Node): number => node.end ?? 0;
const spaces = (text: string): string => text.replace(/[^\n\r\u2028\u2029]/g, " ");
const typesOnly = (kinds: readonly (string | null | undefined)[]): boolean =>
  kinds.length > 0 && kinds.every((kind) => kind === "type");

function holdsTypesOnly(statement: Statement): boolean {
  switch (statement.type) {
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSNamespaceExportDeclaration":
      return true;
    case "TSModuleDeclaration":
      return statement.declare === true || statement.kind === "global" || statement.id.type === "StringLiteral";
    case "VariableDeclaration":
    case "ClassDeclaration":
    case "TSDeclareFunction":
    case "TSEnumDeclaration":
      return statement.declare === true;
    default:
      return false;
  }
}

/** Reads the whole top, or gives the first module that may not be imported. */
export function readTop(program: Program, text: string): Top | Refused {
  const edits: Edit[] = [];
  const erased = new Set<Node>();
  const statements: Statement[] = [];
  let exported: Top["exported"];

  const replace = (from: number, to: number, insert: string): void =>
    void edits.push({ at: from, remove: to - from, insert });
  const erase = (statement: Statement): void => {
    erased.add(statement);
    replace(start(statement), end(statement), blank(text.slice(start(statement), end(statement))));
  };
  const dropKeyword = (statement: Node, declaration: Node): void =>
    replace(start(statement), start(declaration), spaces(text.slice(start(statement), start(declaration))));

  function readDefault(statement: Statement, value: Node): void {
    const inner = unwrap(value);
    if (inner.type === "Identifier") {
      exported = { name: inner.name };
      erase(statement);
      return;
    }
    let unused = "exported";
    while (text.includes(unused)) unused += "_";
    replace(start(statement), start(value), `const ${unused} = `);
    replace(end(value), end(value), ";");
    const called = asFunction(value);
    exported = { expression: called === undefined ? unused : `${unused}(${argumentsOf(called)})` };
  }

  function read(statement: Statement): Refused | undefined {
    switch (statement.type) {
      case "ImportDeclaration": {
        const kinds = statement.specifiers.map((one) => (one.type === "ImportSpecifier" ? one.importKind : undefined));
        if (statement.importKind !== "type" && !typesOnly(kinds))
          return { at: start(statement), from: statement.source.value };
        erase(statement);
        return undefined;
      }
      case "TSImportEqualsDeclaration":
        if (statement.importKind === "type") erase(statement);
        else if (statement.moduleReference.type !== "TSExternalModuleReference") statements.push(statement);
        else return { at: start(statement), from: statement.moduleReference.expression.value };
        return undefined;
      case "ExportAllDeclaration":
        if (statement.exportKind !== "type") return { at: start(statement), from: statement.source.value };
        erase(statement);
        return undefined;
      case "ExportNamedDeclaration": {
        if (statement.declaration) {
          dropKeyword(statement, statement.declaration);
          return read(statement.declaration);
        }
        const kinds = statement.specifiers.map((one) => (one.type === "ExportSpecifier" ? one.exportKind : undefined));
        if (statement.source && statement.exportKind !== "type" && !typesOnly(kinds)) {
          return { at: start(statement), from: statement.source.value };
        }
        for (const one of statement.specifiers) {
          if (one.type !== "ExportSpecifier" || one.exported.type !== "Identifier" || one.local.type !== "Identifier")
            continue;
          if (one.exported.name === "default") exported = { name: one.local.name };
        }
        erase(statement);
        return undefined;
      }
      case "ExportDefaultDeclaration": {
        const { declaration } = statement;
        if (declaration.type === "TSInterfaceDeclaration") {
          erase(statement);
        } else if (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration") {
          if (!declaration.id) {
            readDefault(statement, declaration);
          } else {
            dropKeyword(statement, declaration);
            statements.push(declaration);
            if (declaration.type === "FunctionDeclaration") exported = { name: declaration.id.name };
          }
        } else if (declaration.type === "TSDeclareFunction") {
          dropKeyword(statement, declaration);
        } else {
          readDefault(statement, declaration);
        }
        return undefined;
      }
      case "TSExportAssignment":
        readDefault(statement, statement.expression);
        return undefined;
      default:
        if (holdsTypesOnly(statement)) erase(statement);
        else statements.push(statement);
        return undefined;
    }
  }

  for (const statement of program.body) {
    const refused = read(statement);
    if (refused !== undefined) return refused;
  }
  return { edits, erased, statements, exported };
}
