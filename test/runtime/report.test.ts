import { describe, expect, it } from "vitest";
import type { RecordEntry } from "../../src/bridge/record.ts";
import { ledgerOf, renderForModel } from "../../src/runtime/report.ts";
import type { RunParts } from "../../src/runtime/result.ts";

function entry(seq: number, tool: string, more: Partial<RecordEntry>): RecordEntry {
  return {
    runId: "run_1",
    tenant: "t",
    session: "s",
    turn: 1,
    seq,
    callId: `run_1.${seq}`,
    caller: "program",
    tool,
    source: "deployment",
    args: {},
    decision: { verdict: "allow", code: "allowed", sentence: "" },
    status: "ok",
    effect: "none",
    attempts: 1,
    queuedMs: 0,
    ranMs: 0,
    humanMs: 0,
    resultBytes: 0,
    truncated: false,
    ...more,
  };
}

const done = (seq: number, tool: string): RecordEntry => entry(seq, tool, { effect: "done" });
const failure = { code: "no", message: "not so" };

const parts = (more: object): RunParts => ({
  runId: "run_1",
  calls: [],
  console: [],
  warnings: [],
  shown: [],
  usage: { cpuMs: 0, idleMs: 0, queueMs: 0, toolMs: 0, humanMs: 0, wallMs: 0, startMs: 0, calls: 0, resultBytes: 0 },
  status: "completed",
  value: 1,
  ...more,
});

describe("what the model reads", () => {
  it("X8 C12 the ledger tells apart what was accepted, planned, done, read, failed, unknown and never started", () => {
    expect(
      ledgerOf([
        done(1, "pay"),
        done(2, "pay"),
        done(3, "pay"),
        entry(4, "get", {}),
        entry(5, "get", {}),
        entry(6, "send", { status: "pending", effect: "accepted" }),
        entry(7, "plan", { status: "planned" }),
        entry(8, "ask", { status: "pending" }),
        entry(9, "half", { status: "error", effect: "done", failure }),
        entry(10, "lost", { status: "unknown", effect: "unknown", failure }),
        entry(11, "late", { status: "cancelled", attempts: 0, failure: { code: "call_cancelled", message: "" } }),
        entry(12, "held", { status: "cancelled", attempts: 0, failure }),
        entry(13, "shut", { status: "refused", attempts: 0, failure }),
        entry(14, "bad", { status: "error", failure }),
        done(15, "pay"),
      ]),
    ).toEqual([
      "- accepted, not confirmed: #6 send",
      "- planned, not executed: #7 plan",
      "- pending, not yet decided: #8 ask",
      "- done: #1-#3 pay, #15 pay",
      "- read: get ×2",
      "- done, but failed afterwards (do not repeat): #9 half (no: not so)",
      "- unknown whether it took effect (check before repeating): #10 lost (no: not so)",
      "- never started: #11 late",
      "- cancelled: #12 held (no: not so)",
      "- refused: #13 shut (no: not so)",
      "- failed: #14 bad (no: not so)",
    ]);
  });

  it("X8 stays within its tokens, however few", () => {
    const run = parts({
      status: "failed",
      error: { code: "program_error", name: "Error", message: "m".repeat(5_000), frame: "f".repeat(5_000), hint: "h" },
      console: Array.from({ length: 500 }, (_, n) => ({ level: "log", text: `line ${n}` })),
      warnings: Array.from({ length: 100 }, (_, n) => `warning ${n}`),
      calls: Array.from({ length: 300 }, (_, n) => done(n * 2 + 1, "note")),
    });
    for (const maxTokens of [10, 50, 100, 1_000, 100_000]) {
      expect(renderForModel(run, { maxTokens }).length).toBeLessThanOrEqual(maxTokens * 4);
    }
  });

  it("X10 a value that was shortened twice is told once, against what there was", () => {
    const list = Array.from({ length: 400 }, (_, n) => n);
    const run = parts({
      value: { list },
      truncated: { bytes: 99_999, dropped: [{ path: "$.list", kept: 400, of: 5_000 }] },
    });
    const text = renderForModel(run, { maxTokens: 200 });
    const kept = (JSON.parse(text.split("\n")[1] ?? "") as { list: number[] }).list.length;
    expect(text.split("\n")[2]).toBe(
      `(shortened from 99999 bytes: $.list shows ${kept} of 5000; return less, or a summary)`,
    );
  });

  it("X9 causes are told", () => {
    const error = { code: "program_error", name: "Error", message: "outer", cause: "TypeError: inner" };
    expect(renderForModel(parts({ status: "failed", error }))).toBe(
      "Failed: Error: outer [program_error]\nCaused by: TypeError: inner",
    );
  });
});
