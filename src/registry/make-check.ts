// A check is made at the first value. One that cannot be made, or fails whatever the value, lets every value through
// from then on, with one warning; one that fails at a value alone refuses that value. What is quick is checked at once,
// all else away from the host's thread, with the same verdict.
import { isObject } from "../is-object.ts";
import { type JsonValue, parseJson } from "../json.ts";
import { bounds } from "../limits.ts";
import { hasSteps, spendSteps, stepsLeft } from "../turns.ts";
import { checkerOf, type CheckerThread, findCheckerFile } from "./checker.ts";
import { describeValue } from "./describe-value.ts";
import type { Issue } from "./issues.ts";
import type { Allowance } from "./validator.ts";
import { Overspent } from "./meter.ts";
import { type Judge, makeJudge, type SchemaForm, tooDeep, type Verdict } from "./verdict.ts";

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export interface SchemaUse {
  /** Whose schema it is, for messages: `tool "x", inputSchema`. */
  readonly what: string;
  /** An input is always an object. */
  readonly io: "input" | "output";
  /** Hears of what is not checked, at once or at the first use. */
  readonly warn: (message: string) => void;
  /** Where there is one, a schema that is broken goes no further. */
  readonly fail?: (message: string) => never;
  /** The file of the thread for costly checks, where it is not the package's own. */
  readonly checkerPath?: string;
}

/** What is known of a value beside itself. */
export interface Given {
  /** Its JSON text. */
  readonly text?: string;
  /** Ends the wait for a check that is done elsewhere. */
  readonly signal?: (() => AbortSignal) | undefined;
}

export interface Check {
  /**
   * Synchronous where that is quick: not of a large value, nor by a large schema, nor by a Standard Schema that is
   * asynchronous itself. Never fills in or coerces beyond what a Standard Schema does.
   */
  readonly parse: (value: JsonValue, given?: Given) => Parsed | Promise<Parsed>;
  /** As `parse` of what the JSON text holds, whose value is told only where it is small. */
  readonly parseText: (text: string, signal?: () => AbortSignal) => Parsed | Promise<Parsed>;
}

/** Steps that even a turn with none left has for a check, and those that compiling a part of a schema takes. */
const fewestSteps = 400;
const stepsOfPart = 2_000;
/** Characters that are parsed in one step. */
const charsOfStep = 6;

/** The check of a schema of a size as `copySchema` counts it. */
export function makeCheck(form: SchemaForm, size: number, use: SchemaUse): Check {
  const noted = new Set<string>();
  const unchecked = passUnchecked(use.io);
  const compileSteps = size * stepsOfPart;
  let judge: Judge | undefined;
  let checker: CheckerThread | undefined;
  let isBroken = false;

  const allowance: Allowance = {
    steps: () => Math.max(fewestSteps, stepsLeft()),
    checkMs: bounds.checkMsInPlace,
    spend: spendSteps,
    compile() {
      if (!hasSteps(compileSteps)) throw new Overspent("compiling would hold up too long");
      spendSteps(compileSteps);
    },
    patternStates: bounds.statesInPlace,
  };

  function note(message: string): void {
    if (noted.has(message)) return;
    noted.add(message);
    use.warn(message);
  }

  function settle(verdict: Verdict, value: unknown): Parsed {
    if (verdict.kind === "match") return { ok: true, value };
    if (verdict.kind === "mismatch") return { ok: false, issues: verdict.issues };
    isBroken = true;
    note(`${use.what} cannot be used: ${verdict.reason}; ${instead(use.io)}`);
    return unchecked(value);
  }

  const noteOn = (message: string): void => note(`${use.what}: ${message}`);

  /** A verdict found at once, unless that would hold this turn of the event loop up. */
  function judgeInPlace(value: JsonValue): Verdict | undefined {
    if (size > bounds.schemaInPlace) return undefined;
    if (judge === undefined && !hasSteps(compileSteps)) return undefined;
    judge ??= makeJudge(form, noteOn, allowance);
    const verdict = judge(value);
    return verdict.kind === "unfinished" ? undefined : verdict;
  }

  async function judgeAway(text: string, value: unknown, signal: Given["signal"]): Promise<Parsed> {
    checker ??= checkerOf(use.checkerPath ?? findCheckerFile());
    const answer = await checker.check(form, text, signal?.());
    if ("expected" in answer) return refuse(answer.expected, describeValue(value ?? text));
    answer.notes.forEach(noteOn);
    return settle(answer.verdict, value);
  }

  function parse(value: JsonValue, given: Given = {}): Parsed | Promise<Parsed> {
    if (isBroken) return unchecked(value);
    const { text, signal } = given;
    const verdict = text !== undefined && text.length > bounds.charsInPlace ? undefined : judgeInPlace(value);
    if (verdict !== undefined) return settle(verdict, value);
    const json = text ?? textOf(value);
    return json === undefined ? refuse(tooDeep, describeValue(value)) : judgeAway(json, value, signal);
  }

  return {
    parse,
    parseText(text, signal) {
      if (isBroken && use.io === "output") return { ok: true, value: undefined };
      if (text.length > bounds.charsInPlace) return judgeAway(text, undefined, signal);
      spendSteps(text.length / charsOfStep);
      return parse(parseJson(text), { text, signal });
    },
  };
}

/** Undefined where the value nests too deeply to be written. */
function textOf(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** What stands for a check that cannot be done: of an input it still asks that it is an object. */
export function passUnchecked(io: SchemaUse["io"]): (value: unknown) => Parsed {
  return (value) =>
    io === "output" || isObject(value) ? { ok: true, value } : refuse("an object", describeValue(value));
}

export const instead = (io: SchemaUse["io"]): string =>
  io === "input" ? "any object is let through" : "results are not checked";

const refuse = (expected: string, came: string): Parsed => ({ ok: false, issues: [{ path: "$", expected, came }] });
