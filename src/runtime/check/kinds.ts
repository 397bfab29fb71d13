import { ObjectFlags, type Symbol, SymbolFlags, type Type, TypeFlags } from "./typescript.ts";
import { membersOf, type View } from "./view.ts";

/** What a value of a type is, as far as JSON sees it; `other` is anything else, such as a Date, which becomes text. */
export type Kind = "string" | "number" | "boolean" | "array" | "object" | "promise" | "function" | "other";

const anything = TypeFlags.Any | TypeFlags.Unknown | TypeFlags.Never | TypeFlags.Instantiable;

export async function kindOf(type: Type, view: View): Promise<Kind> {
  const { flags } = type;
  if ((flags & TypeFlags.StringLike) !== 0) return "string";
  if ((flags & TypeFlags.NumberLike) !== 0) return "number";
  if ((flags & TypeFlags.BooleanLike) !== 0) return "boolean";
  if ((flags & TypeFlags.NonPrimitive) !== 0) return "object";
  if (type.isIntersectionType()) return (await isOwnObject(type, view)) ? "object" : "other";
  if (!type.isObjectType()) return "other";
  // Such as `Record<string, number>`.
  if ((type.objectFlags & ObjectFlags.Mapped) !== 0) return "object";
  if ((await view.checker.isArrayType(type)) || (await view.checker.isTupleType(type))) return "array";
  const symbol = await type.getSymbol();
  if (symbol?.name === "Promise" && !(await isOwnObject(type, view))) return "promise";
  if (isOfFunction(symbol)) return "function";
  return isOfLiteral(symbol) || (await isOwnObject(type, view)) ? "object" : "other";
}

const isOfFunction = (symbol: Symbol | undefined): boolean =>
  symbol !== undefined && (symbol.flags & (SymbolFlags.Function | SymbolFlags.Method)) !== 0;

const isOfLiteral = (symbol: Symbol | undefined): boolean =>
  symbol !== undefined && (symbol.flags & SymbolFlags.ObjectLiteral) !== 0;

/** Whether the declarations of the tools declare an object type; of what is put together, every part. */
export async function isOwnObject(type: Type, view: View): Promise<boolean> {
  if (type.isIntersectionType()) {
    const parts = await Promise.all((await type.getTypes()).map((part) => isOwnObject(part, view)));
    return parts.every(Boolean);
  }
  return type.isObjectType() && view.isOwn(await type.getSymbol());
}

/** Whether no value can be of both types. */
export async function areDisjoint(source: Type, target: Type, view: View): Promise<boolean> {
  if (((source.flags | target.flags) & anything) !== 0) return false;
  if (await view.checker.isTypeAssignableTo(source, target)) return false;
  const [sources, targets] = await Promise.all([membersOf(source), membersOf(target)]);
  for (const one of sources) {
    for (const other of targets) if (!(await haveNothingInCommon(one, other, view))) return false;
  }
  return true;
}

async function haveNothingInCommon(source: Type, target: Type, view: View): Promise<boolean> {
  if ((target.flags & anything) !== 0) return false;
  const [is, wanted] = await Promise.all([kindOf(source, view), kindOf(target, view)]);
  if (is === "other" || wanted === "other") return false;
  if (is === "promise" || is === "function") return true;
  if (is !== wanted) return true;
  return source.isLiteralType() && target.isLiteralType() && source.value !== target.value;
}
