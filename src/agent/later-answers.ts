// Answers that come after the process that asked may be gone: each goes to the call that waits for it, and the first one counts.
import type { RunLog } from "../bridge/journal.ts";
import { callIdOf } from "../bridge/record.ts";
import { readRecorded } from "../bridge/recorded.ts";
import { Fault } from "../errors.ts";
import { isObject } from "../is-object.ts";
import { JsonError, parseJson, toJson } from "../json.ts";
import { everything } from "../bridge/json-bounds.ts";
import { describe } from "../options.ts";

/** By call id; what each may be is what `ask` may answer. */
export type Answers = Readonly<Record<string, unknown>>;

/**
 * Writes answers into the log of a run, all or none; gives what is to be told of those that came too late. Throws
 * `invalid_options` and `approval_not_found`, naming the calls that wait.
 */
export function writeAnswers(log: RunLog, answers: Answers): readonly string[] {
  if (!isObject(answers)) {
    throw new Fault("invalid_options", `answers are an object by call id, got ${describe(answers)}`);
  }
  const { calls, end } = readRecorded(log.entries());
  if (end !== undefined) return [];
  const { runId } = log.header;
  const byId = new Map(calls.map((call) => [callIdOf(runId, call.call), call]));
  const notes: string[] = [];
  const news: { call: number; given: unknown }[] = [];
  for (const [callId, given] of Object.entries(answers)) {
    const call = byId.get(callId);
    if (call?.asked === undefined) {
      const waiting = calls.filter(
        ({ asked, answer, ended }) => asked !== undefined && answer === undefined && ended === undefined,
      );
      throw new Fault("approval_not_found", `no question about ${JSON.stringify(callId)} was put in ${runId}`, {
        hint:
          waiting.length === 0
            ? "no call of this run waits for an answer"
            : `these calls wait for one: ${waiting.map(({ call: n, tool }) => `${callIdOf(runId, n)} (${tool})`).join(", ")}`,
      });
    }
    if (call.answer !== undefined || call.ended !== undefined || call.decision !== undefined) {
      notes.push(`${callId} had been answered before; the first answer stands`);
    } else news.push({ call: call.call, given: asJson(callId, given) });
  }
  for (const { call, given } of news) log.append({ kind: "answer", call, given, at: Date.now() });
  return notes;
}

function asJson(callId: string, given: unknown): unknown {
  try {
    return parseJson(toJson(given, everything));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Fault("invalid_options", `the answer for ${callId} is not JSON: ${error.message}`);
  }
}
