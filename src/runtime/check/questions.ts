// Questions to TypeScript, each asked once and only so many for one program: every one goes to another process and back.
import type { Checker, Node, Signature, Symbol, Type } from "./typescript.ts";

/** The part of TypeScript's checker that the judges use. */
export type Questions = Pick<
  Checker,
  | "getResolvedSignature"
  | "getReturnTypeOfSignature"
  | "getParameterType"
  | "getTypeArguments"
  | "getPropertiesOfType"
  | "getIndexInfosOfType"
  | "isArrayType"
  | "isTupleType"
  | "typeToString"
> & {
  getTypeAtLocation(node: Node): Promise<Type | undefined>;
  getSymbolAtLocation(node: Node): Promise<Symbol | undefined>;
  getTypeOfSymbol(symbol: Symbol): Promise<Type | undefined>;
  getPropertyOfType(type: Type, name: string): Promise<Symbol | undefined>;
  getApparentType(type: Type): Promise<Type | undefined>;
  isTypeAssignableTo(source: Type, target: Type): Promise<boolean>;
  membersOf(type: Type): Promise<readonly Type[]>;
  symbolOf(type: Type): Promise<Symbol | undefined>;
  /** Asks for the types of many nodes in one go. */
  foresee(nodes: readonly Node[]): Promise<void>;
};

/** Thrown where no more may be asked: what was found so far stands. */
export class Enough extends Error {
  override readonly name = "Enough";
}

export function createQuestions(checker: Checker, questionsAtMost: number): Questions {
  const answers = new Map<object, Map<string, Promise<unknown>>>();
  let left = questionsAtMost;

  function put(about: object, what: string, answer: Promise<unknown>): void {
    const known = answers.get(about);
    if (known === undefined) answers.set(about, new Map([[what, answer]]));
    else known.set(what, answer);
  }

  function once<T>(about: object, what: string, ask: () => Promise<T>): Promise<T> {
    const before = answers.get(about)?.get(what);
    // The name of a question tells the kind of its answer.
    if (before !== undefined) return before as Promise<T>;
    if (left <= 0) return Promise.reject(new Enough("too many questions"));
    left -= 1;
    const answer = ask();
    put(about, what, answer);
    return answer;
  }

  return {
    getTypeAtLocation: (node) => once(node, "type", () => checker.getTypeAtLocation(node)),
    getSymbolAtLocation: (node) => once(node, "symbol", () => checker.getSymbolAtLocation(node)),
    getResolvedSignature: (node) => once(node, "signature", () => checker.getResolvedSignature(node)),
    getReturnTypeOfSignature: (one) => once(one, "result", () => checker.getReturnTypeOfSignature(one)),
    getParameterType: (one: Signature, at) => once(one, `parameter ${at}`, () => checker.getParameterType(one, at)),
    getTypeOfSymbol: (symbol) => once(symbol, "type", () => checker.getTypeOfSymbol(symbol)),
    getTypeArguments: (type) => once(type, "arguments", () => checker.getTypeArguments(type)),
    getPropertiesOfType: (type) => once(type, "properties", () => checker.getPropertiesOfType(type)),
    getPropertyOfType: (type, name) => once(type, `.${name}`, () => checker.getPropertyOfType(type, name)),
    getIndexInfosOfType: (type) => once(type, "index", () => checker.getIndexInfosOfType(type)),
    getApparentType: (type) => once(type, "apparent", () => checker.getApparentType(type)),
    isArrayType: (type) => once(type, "list", () => checker.isArrayType(type)),
    isTupleType: (type) => once(type, "tuple", () => checker.isTupleType(type)),
    isTypeAssignableTo: (source, target) =>
      once(source, `fits ${target.id}`, () => checker.isTypeAssignableTo(source, target)),
    typeToString: (type, at, flags) => once(type, `text ${flags ?? 0}`, () => checker.typeToString(type, at, flags)),
    membersOf: (type) =>
      type.isUnionType() ? once(type, "members", () => type.getTypes()) : Promise.resolve<readonly Type[]>([type]),
    symbolOf: (type) => once(type, "symbolOf", () => type.getSymbol()),
    async foresee(nodes) {
      if (nodes.length === 0) return;
      const types = await checker.getTypeAtLocation(nodes);
      for (const [at, node] of nodes.entries()) put(node, "type", Promise.resolve(types[at]));
    },
  };
}
