// What is surely wrong in an object literal that a tool gets, against one shape that it takes.
import { isNearMiss } from "../../nearest.ts";
import { shapeKey } from "./closed-shapes.ts";
import type { Fact } from "./findings.ts";
import type { Placed } from "./placed.ts";
import { type ArgumentContext, isThere } from "./judge-value.ts";
import { nameNode, nameOf, valueOf } from "./nodes.ts";
import {
  type Expression,
  type IndexInfo,
  type Symbol,
  SymbolFlags,
  type syntax,
  type Type,
  TypeFlags,
} from "./typescript.ts";

/** Judges what a property is given. */
type Judge = (given: Expression, target: Type, context: ArgumentContext) => Promise<readonly Placed[]>;

export async function judgeShape(
  literal: syntax.ObjectLiteralExpression,
  shape: Type,
  context: ArgumentContext,
  judge: Judge,
): Promise<readonly Placed[]> {
  const { view, tool, path, closed } = context;
  const admitted = new Map((await view.checker.getPropertiesOfType(shape)).map((one) => [one.name, one]));
  const others = othersOf(await view.checker.getIndexInfosOfType(shape));
  const given = propertiesOf(literal);
  const known = [...admitted.keys()];
  const isClosed = others === "none" || (others === "unlisted" && closed.has(shapeKey(known)));
  const isLacking = (name: string): boolean => {
    const own = admitted.get(name);
    return own !== undefined && isRequired(own) && given.isWhole && !given.names.has(name);
  };
  const placed: Placed[] = [];
  const misspelt = new Set<string>();
  for (const [name, property] of given.certain) {
    const own = admitted.get(name);
    const value = valueOf(property);
    if (own !== undefined) {
      const type = value === undefined ? undefined : await view.checker.getTypeOfSymbol(own);
      if (value === undefined || type === undefined) continue;
      placed.push(...(await judge(value, type, { ...context, path: [...path, name], isItem: false })));
    } else if (others !== "some") {
      const near = known.find((other) => !given.names.has(other) && isNearMiss(name, other));
      if (near === undefined && !isClosed) continue;
      // What turns out to be `undefined` is not sent.
      const isSent = (near !== undefined && isLacking(near)) || (value !== undefined && (await isThere(value, view)));
      if (!isSent) continue;
      if (near !== undefined) misspelt.add(near);
      const fact: Fact = { kind: "unlisted", tool, path, name, known, ...(near === undefined ? {} : { near }) };
      placed.push({ fact, at: nameNode(property) ?? property });
    }
  }
  const missing = known.filter((name) => isLacking(name) && !misspelt.has(name));
  if (missing.length > 0) placed.push({ fact: { kind: "missing", tool, path, names: missing }, at: literal });
  return placed;
}

const isRequired = ({ flags }: Symbol): boolean => (flags & SymbolFlags.Optional) === 0;

/** Whether a shape takes names that it does not list: none, some, or those that nobody spoke of. */
function othersOf(signatures: readonly IndexInfo[]): "none" | "some" | "unlisted" {
  if (signatures.length === 0) return "unlisted";
  const isNone = signatures.every(
    ({ keyType, valueType }) => (keyType.flags & TypeFlags.String) !== 0 && (valueType.flags & TypeFlags.Never) !== 0,
  );
  return isNone ? "none" : "some";
}

interface Properties {
  /** All that are there, whatever they are given. */
  readonly names: ReadonlySet<string>;
  /** Those that nothing further on can replace. */
  readonly certain: ReadonlyMap<string, syntax.ObjectLiteralElementLike>;
  readonly isWhole: boolean;
}

function propertiesOf({ properties }: syntax.ObjectLiteralExpression): Properties {
  const names = new Set<string>();
  const certain = new Map<string, syntax.ObjectLiteralElementLike>();
  let isWhole = true;
  for (const property of properties) {
    const name = nameOf(property);
    if (name === undefined) {
      isWhole = false;
      certain.clear();
    } else {
      names.add(name);
      certain.set(name, property);
    }
  }
  // JSON takes what this gives instead.
  return names.has("toJSON") ? { names, certain: new Map(), isWhole: false } : { names, certain, isWhole };
}
