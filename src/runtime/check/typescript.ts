// The one door to TypeScript, which is an optional dependency: only the type checker comes through it.
export { API, ObjectFlags, SymbolFlags, TypeFlags } from "typescript7/unstable/async";
export type {
  Checker,
  Diagnostic,
  IndexInfo,
  Project,
  Signature,
  Snapshot,
  Symbol,
  Type,
} from "typescript7/unstable/async";
export * as syntax from "typescript7/unstable/ast";
export type { CallExpression, Expression, Node, SourceFile } from "typescript7/unstable/ast";
