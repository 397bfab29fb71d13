// Whether the value of an expression is surely of another kind than a tool takes.
import { isNearMiss, nearest } from "../../nearest.ts";
import type { Fact, Step } from "./findings.ts";
import type { Placed } from "./placed.ts";
import { anything, isOutside } from "./kinds.ts";
import { inner } from "./nodes.ts";
import { type Origin, originKind, type Origins, spread, typeAt } from "./origin.ts";
import { originsOf } from "./origins.ts";
import { promiseOf } from "./promises.ts";
import { type Expression, syntax, type Type } from "./typescript.ts";
import type { View } from "./view.ts";

/** The argument of a call: of which tool, the sets of names that admit no others, and how far in the judge is. */
export interface ArgumentContext {
  readonly view: View;
  readonly tool: string;
  readonly closed: ReadonlySet<string>;
  readonly path: readonly Step[];
  /** Whether it is an item of a list, where JSON makes `null` of nothing. */
  readonly isItem?: boolean;
}

const shownChars = 160;
const writtenChars = 60;
// NodeBuilderFlags: a whole type, and what its name stands for.
const wholeType = 1 + 8_388_608;

export async function judgeValue(
  given: Expression,
  target: Type,
  context: ArgumentContext,
): Promise<readonly Placed[]> {
  const { view, tool, path } = context;
  if ((target.flags & anything) !== 0) return [];
  const value = inner(given);
  const isCall = syntax.isIdentifier(value) || syntax.isCallExpression(value);
  const call = isCall ? await promiseOf(value, view) : undefined;
  if (call !== undefined) {
    const isWrong = await isOutside("promise", undefined, target, view);
    return isWrong ? [{ fact: { kind: "await", call, use: "an argument" }, at: given }] : [];
  }
  const origins = await originsOf(given, view);
  if (origins === undefined || !(await areOutside(origins, target, context))) return [];
  // What the program found out on its way here: where nothing can come, nothing is wrong.
  const [only, ...others] = origins;
  const isWritten = only !== undefined && others.length === 0 && only.from !== "type";
  const here = isWritten ? origins : await typeAt(given, view);
  if (only === undefined || here === undefined || !(await areOutside(here, target, context))) return [];
  const near = others.length === 0 ? await nearLiteral(only, target, view) : undefined;
  const fact: Fact = {
    kind: "mistyped",
    tool,
    path,
    expected: await shown(target, view),
    came: await cameOf(given, only, view),
    ...(near === undefined ? {} : { near }),
  };
  return [{ fact, at: given }];
}

/** Whether the expression surely gives something that JSON keeps. */
export async function isThere(given: Expression, view: View): Promise<boolean> {
  const value = inner(given);
  if (syntax.isObjectLiteralExpression(value) || syntax.isArrayLiteralExpression(value)) return true;
  const origins = await originsOf(value, view);
  if (origins === undefined) return false;
  for (const origin of await spread(origins, view)) {
    if (origin.from === "type" && (origin.type.flags & anything) !== 0) return false;
    if ((await originKind(origin, view)) === "undefined") return false;
  }
  return true;
}

async function areOutside(origins: Origins, target: Type, { view, isItem }: ArgumentContext): Promise<boolean> {
  for (const origin of await spread(origins, view)) {
    if (origin.from === "type" && (origin.type.flags & anything) !== 0) return false;
    const kind = await originKind(origin, view);
    const is = isItem === true && kind === "undefined" ? "null" : kind;
    if (!(await isOutside(is, literalValue(origin), target, view))) return false;
  }
  return true;
}

function literalValue(origin: Origin): string | number | boolean | bigint | undefined {
  if (origin.from === "literal") return origin.value;
  return origin.from === "type" && origin.type.isLiteralType() ? origin.type.value : undefined;
}

/** A type as it would be written, but for `undefined`, which stands for what may be left out. */
async function shown(type: Type, { checker }: View): Promise<string> {
  const whole = await checker.typeToString(type, undefined, wholeType);
  const text = whole.replace(/\s+/g, " ").replaceAll(" | undefined", "");
  return text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`;
}

/** A literal as it was written, else its kind. */
async function cameOf(given: Expression, origin: Origin, view: View): Promise<string> {
  const value = inner(given);
  const written = value.getText();
  if (written.length <= writtenChars && (syntax.isLiteralExpression(value) || syntax.isBooleanLiteral(value)))
    return written;
  const kind = await originKind(origin, view);
  if (kind === "null" || kind === "undefined") return kind;
  if (kind === "array" || kind === "object") return `an ${kind}`;
  return kind === "other" && origin.from === "type" ? shown(origin.type, view) : `a ${kind}`;
}

async function nearLiteral(origin: Origin, target: Type, { checker }: View): Promise<string | undefined> {
  const value = literalValue(origin);
  if (typeof value !== "string") return undefined;
  const members = await checker.membersOf(target);
  const admitted = members.flatMap((type) => (type.isStringLiteralType() ? [type.value] : []));
  return admitted.find((one) => isNearMiss(value, one)) ?? nearest(value, admitted, 1)[0];
}
