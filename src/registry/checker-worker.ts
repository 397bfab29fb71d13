// The thread that checks what is too costly for the host's own. A check may hang or run out of memory: the host ends the thread.
import { parentPort } from "node:worker_threads";
import { type JsonValue, parseJson } from "../json.ts";
import { bounds } from "../limits.ts";
import type { CheckAnswer, CheckRequest } from "./checker-messages.ts";
import type { Allowance } from "./validator.ts";
import { type Judge, makeJudge, refuseValue, tooManySteps, type Verdict } from "./verdict.ts";

const judges = new Map<number, Judge>();
let notes: string[] = [];

const allowance: Allowance = {
  steps: () => bounds.checkSteps,
  checkMs: Infinity,
  spend: () => undefined,
  compile: () => undefined,
  patternStates: bounds.patternStates,
};

function judge(value: JsonValue, check: Judge): Verdict {
  const verdict = check(value);
  if (verdict.kind !== "unfinished") return verdict;
  // A schema that takes too long for any value is broken, else it is this value's fault.
  const { kind } = check({});
  const isBroken = kind === "unfinished" || kind === "broken";
  return isBroken ? { kind: "broken", reason: verdict.reason } : refuseValue(tooManySteps, value);
}

function answer({ schema, form, forget, text }: CheckRequest): CheckAnswer {
  if (forget !== undefined) judges.delete(forget);
  if (form !== undefined)
    judges.set(
      schema,
      makeJudge(form, (message) => notes.push(message), allowance),
    );
  const check = judges.get(schema);
  if (check === undefined) throw new Error("a check was asked for with an unknown schema");
  const verdict = judge(parseJson(text), check);
  const told = notes;
  notes = [];
  return { verdict, notes: told };
}

parentPort?.on("message", (request: CheckRequest) => parentPort?.postMessage(answer(request)));
