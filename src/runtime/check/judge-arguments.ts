// What is surely wrong in the arguments of a tool's call. Literals are looked into, also through a `const` that is only
// read; of anything else only the kind is compared, where it is certain. Of several admitted shapes the nearest is spoken of.
import type { Placed } from "./placed.ts";
import { anything, kindOf } from "./kinds.ts";
import { literalOf } from "./literals.ts";
import { judgeShape } from "./judge-shape.ts";
import { type ArgumentContext, judgeValue } from "./judge-value.ts";
import { type Expression, syntax, type Type } from "./typescript.ts";

export type { ArgumentContext } from "./judge-value.ts";

export async function judgeArgument(
  given: Expression,
  target: Type,
  context: ArgumentContext,
): Promise<readonly Placed[]> {
  const value = await literalOf(given, context.view);
  if (syntax.isObjectLiteralExpression(value)) return judgeShapes(value, given, target, context);
  if (syntax.isArrayLiteralExpression(value)) return judgeList(value, given, target, context);
  return judgeValue(given, target, context);
}

async function judgeList(
  list: syntax.ArrayLiteralExpression,
  given: Expression,
  target: Type,
  context: ArgumentContext,
): Promise<readonly Placed[]> {
  const { view } = context;
  const lists: Type[] = [];
  for (const type of await view.checker.membersOf(target)) {
    const kind = await kindOf(type, view);
    if (kind === "other" || (type.flags & anything) !== 0) return [];
    if (kind === "array") lists.push(type);
  }
  const [only] = lists;
  if (only === undefined) return judgeValue(given, target, context);
  if (lists.length > 1 || !(await view.checker.isArrayType(only)) || !only.isTypeReference()) return [];
  const [item] = await view.checker.getTypeArguments(only);
  if (item === undefined) return [];
  const placed: Placed[] = [];
  for (const [index, element] of list.elements.entries()) {
    if (syntax.isSpreadElement(element) || syntax.isOmittedExpression(element)) continue;
    const path = [...context.path, index];
    placed.push(...(await judgeArgument(element, item, { ...context, path, isItem: true })));
  }
  return placed;
}

/** An object literal against each shape that is admitted. */
async function judgeShapes(
  literal: syntax.ObjectLiteralExpression,
  given: Expression,
  target: Type,
  context: ArgumentContext,
): Promise<readonly Placed[]> {
  const { view } = context;
  const shapes: Type[] = [];
  for (const type of await view.checker.membersOf(target)) {
    const kind = await kindOf(type, view);
    // `unknown`, or a type that no JSON Schema leads to.
    if (kind === "other") return [];
    if (kind === "object") shapes.push(type);
  }
  if (shapes.length === 0) return judgeValue(given, target, context);
  const judged: (readonly Placed[])[] = [];
  for (const shape of shapes) judged.push(await judgeShape(literal, shape, context, judgeArgument));
  return judged.reduce((best, placed) => (placed.length < best.length ? placed : best));
}
