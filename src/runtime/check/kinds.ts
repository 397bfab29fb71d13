import { ObjectFlags, type Symbol, SymbolFlags, type Type, TypeFlags } from "./typescript.ts";
import type { View } from "./view.ts";

/** What a value of a type is, as far as JSON sees it; `other` is anything else, such as a Date, which becomes text. */
export type Kind =
  | "string"
  | "number"
  | "boolean"
  | "null"
  | "undefined"
  | "array"
  | "object"
  | "promise"
  | "function"
  | "other";

export const anything: number = TypeFlags.Any | TypeFlags.Unknown | TypeFlags.Never | TypeFlags.Instantiable;

/** A type belongs to one check of one program. */
const known = new WeakMap<Type, Promise<Kind>>();

export function kindOf(type: Type, view: View): Promise<Kind> {
  let kind = known.get(type);
  if (kind === undefined) {
    kind = findKind(type, view);
    known.set(type, kind);
  }
  return kind;
}

async function findKind(type: Type, view: View): Promise<Kind> {
  const { flags } = type;
  if ((flags & TypeFlags.StringLike) !== 0) return "string";
  if ((flags & TypeFlags.NumberLike) !== 0) return "number";
  if ((flags & TypeFlags.BooleanLike) !== 0) return "boolean";
  if ((flags & TypeFlags.Null) !== 0) return "null";
  if ((flags & (TypeFlags.Undefined | TypeFlags.Void)) !== 0) return "undefined";
  if ((flags & TypeFlags.NonPrimitive) !== 0) return "object";
  if (type.isIntersectionType()) return (await isOwnObject(type, view)) ? "object" : "other";
  if (!type.isObjectType()) return "other";
  // Such as `Record<string, number>`.
  if ((type.objectFlags & ObjectFlags.Mapped) !== 0) return "object";
  if ((await view.checker.isArrayType(type)) || (await view.checker.isTupleType(type))) return "array";
  const symbol = await view.checker.symbolOf(type);
  if (symbol?.name === "Promise" && !view.isOwn(symbol)) return "promise";
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
  return type.isObjectType() && view.isOwn(await view.checker.symbolOf(type));
}

/** Whether a value of a kind, or the very value, is of no member of a type. */
export async function isOutside(
  is: Kind,
  value: string | number | boolean | bigint | undefined,
  target: Type,
  view: View,
): Promise<boolean> {
  for (const member of await view.checker.membersOf(target)) {
    if ((member.flags & anything) !== 0) return false;
    const wanted = await kindOf(member, view);
    if (is === "other" || wanted === "other") return false;
    if (is === "promise" || is === "function" || is !== wanted) continue;
    if (value === undefined || !member.isLiteralType() || member.value === value) return false;
  }
  return true;
}
