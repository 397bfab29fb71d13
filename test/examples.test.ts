import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { main as codaris } from "../examples/codaris/main.ts";
import { main as ditto } from "../examples/ditto/main.ts";
import { main as oda } from "../examples/oda/main.ts";
import { openOutside } from "../examples/orchestrator/data.ts";
import { main as orchestrator } from "../examples/orchestrator/main.ts";
import type { Show } from "../examples/show.ts";

type Shown = ReadonlyMap<string, string>;

/** What an example shows, by title, in order. */
async function shownBy(main: (show: Show) => Promise<void>): Promise<Shown> {
  const shown = new Map<string, string>();
  await main((title, text) => {
    expect(shown.has(title)).toBe(false);
    shown.set(title, text);
  });
  return shown;
}

const declared = (text = ""): readonly string[] => [...text.matchAll(/^(\w+)\(args/gm)].map(([, name = ""]) => name);

describe("the example oda", () => {
  let shown: Shown;
  beforeAll(async () => {
    shown = await shownBy(oda);
  });

  it("F1 P12 the model is offered the code tool alone", () => {
    expect([...shown.keys()]).toEqual([
      "tools",
      "instructions",
      "context",
      "direct call of read_note",
      "program: value",
      "program: console",
      "program: calls",
      "calls as they started (+) and ended (-)",
    ]);
    expect(shown.get("tools")?.match(/^- \w+/gm)).toEqual(["- run_program"]);
  });

  it("P1 P2 P5 P6 P8 P10 the prompt is the identity line, the persona and the sections in their order around the tools", () => {
    const [before, after] = (shown.get("instructions") ?? "").split(/\n\nWrite TypeScript statements[^]*\n```\n\n/);
    expect(before?.split("\n\n")).toEqual([
      "You are Oda, an agent for a folder of notes.",
      "You answer for the Marlowe household.",
      "Read a note before you change it.",
      "The notes are in /home/marlowe/notes.",
      "Cross off what is done, and keep the rest as it is.",
    ]);
    expect(after).toBe("Answer with the names of the notes you changed.");
  });

  it("P7 the runtime context is a message of its own", () => {
    expect(shown.get("context")).toBe(
      "Current runtime context. This snapshot supersedes earlier runtime-context snapshots.\n\nThere are 3 notes.",
    );
  });

  it("S4 S5 S8 P9 the restrictions leave what both admit and the scope's own tool, in the named order", () => {
    expect(declared(shown.get("instructions"))).toEqual(["list_notes", "read_note", "count_words", "write_note"]);
    expect(shown.get("instructions")).not.toMatch(/fetch_page|delete_note/);
  });

  it("F2 a direct call of another tool is sent to a program", () => {
    expect(shown.get("direct call of read_note")).toBe(
      "only run_program can be called directly here; reach other tools from inside a program [direct_call_refused]\n" +
        "Hint: call run_program with code such as: return await tools.read_note({ ... })",
    );
  });

  it("G1 Q4 the program gets its value, and the record is in the order asked, the refused call with its reason", () => {
    expect(JSON.parse(shown.get("program: value") ?? "")).toEqual({
      before: "- buy paint\n- call the plumber",
      after: "- buy paint",
      words: 3,
      refused: 'guard_refused: guard "frozen-rules" refused the call: notes below rules/ are frozen',
    });
    expect(shown.get("program: console")).toBe("journal: 4 lines\nrules/tone: 1 lines\ntodo: 2 lines");
    expect(shown.get("program: calls")?.split("\n")).toEqual([
      "#1 list_notes: ok, effect none",
      "#2 read_note: ok, effect none",
      "#3 read_note: ok, effect none",
      "#4 read_note: ok, effect none",
      "#5 read_note: ok, effect none",
      "#6 write_note: ok, effect done",
      "#7 read_note: ok, effect none",
      '#8 write_note: refused, effect none (guard "frozen-rules" refused the call: notes below rules/ are frozen)',
      "#9 count_words: ok, effect none",
    ]);
  });

  it("Q1 Q2 Q5 reads overlap, the shortest is there first, and the write runs alone", () => {
    expect(shown.get("calls as they started (+) and ended (-)")).toBe(
      "+1 -1 +2 +3 +4 -3 -4 -2 +5 -5 +6 -6 +7 -7 -8 +9 -9",
    );
  });
});

describe("the example ditto", () => {
  let shown: Shown;
  beforeAll(async () => {
    shown = await shownBy(ditto);
  });

  it("S2 what is not permitted is neither declared nor callable, and a name without a tool draws a warning", () => {
    expect(declared(shown.get("tools"))).toEqual([
      "count_characters",
      "invoice_of",
      "lookup_customer",
      "lookup_order",
      "ship_order",
    ]);
    expect(shown.get("warnings")).toBe(
      'scope "desk" permits "send_mail": no tool has that name, so it permits nothing',
    );
    expect(shown.get("not permitted: failed")).toContain('there is no tool "delete_customer"');
  });

  it("C8 structured content is what a program gets", () => {
    expect(JSON.parse(shown.get("count: value") ?? "")).toEqual({ characters: 2 });
    expect(shown.get("count: calls")).toBe("#1 count_characters: ok, effect none");
  });

  it("X17 C5 C12 the chain reads, checks, and writes only where the check holds; what was accepted is not done", () => {
    expect(JSON.parse(shown.get("orders: value") ?? "")).toEqual([
      { order: 7, status: "shipping", invoice: "shop://invoices/7.pdf" },
      "order 8 is open",
      "Tomas's account is closed",
      "order 7 is not Tomas's",
    ]);
    expect(shown.get("orders: calls")?.split("\n")).toEqual([
      "#1 lookup_customer: ok, effect none",
      "#2 lookup_order: ok, effect none",
      "#3 ship_order: pending, effect accepted",
      "#4 invoice_of: ok, effect none",
      "#5 lookup_customer: ok, effect none",
      "#6 lookup_order: ok, effect none",
      "#7 lookup_customer: ok, effect none",
      "#8 lookup_order: ok, effect none",
      "#9 lookup_customer: ok, effect none",
      "#10 lookup_order: ok, effect none",
      "#11 ship_order: refused, effect none (order 8 is open, and only a paid order is shipped)",
    ]);
  });

  it("C2 C13 what a tool's own validate says reaches program and model word for word", () => {
    expect(shown.get("orders: console")).toBe("arguments_invalid: order 8 is open, and only a paid order is shipped");
    expect(shown.get("a guest: failed")).toMatch(/^Failed: ToolError: only a clerk ships orders \[program_error\]\n/);
  });
});

describe("the example codaris", () => {
  let shown: Shown;
  const asked: unknown[] = [];
  beforeAll(async () => {
    shown = await shownBy((show) =>
      codaris(show, ({ capability, reason }) => {
        asked.push({ capability, reason });
        return "Allow once";
      }),
    );
  });
  const linesOf = (title: string): readonly string[] => shown.get(title)?.split("\n") ?? [];

  it("T1 T7 nine tools are always on, of some hundreds, and each turn logs what it binds", () => {
    expect(shown.get("always on")?.split(", ")).toEqual([
      "search_tools",
      "read_file",
      "request_capability",
      "list_files",
      "write_file",
      "run_command",
      "check_environment",
      "plan_pipeline",
      "remember",
    ]);
    expect(linesOf("log")).toEqual([
      "Lean tools active: bound 9 tools to model (9 always-on, 0 forced, 0 found by search; filtered from 348).",
      "Lean tools active: bound 13 tools to model (9 always-on, 1 forced, 3 found by search; filtered from 348).",
      "Lean tools active: bound 12 tools to model (9 always-on, 0 forced, 3 found by search; filtered from 348).",
    ]);
  });

  it("T5 what is typed adds exactly its own tools, and a path none", () => {
    expect(linesOf("typed")).toEqual([
      "/review",
      "  review_pipeline",
      "/review --quick",
      "  run_compliance_autofix",
      "/review is it safe?",
      "  run_compliance_autofix, review_pipeline, lint_pipeline",
      "/audit",
      "  run_compliance_autofix",
      "/remediate",
      "  run_compliance_autofix, apply_remediation_plan",
      "/fix",
      "  apply_remediation_plan",
      "/rules",
      "  list_compliance_rules",
      "/searchData",
      "  search_geo_sra, search_pubmed",
      "/extend",
      "  extend_add_module, extend_link_module",
      "/run",
      "  autopilot_pipeline, run_built_pipeline, test_pipeline, check_test_result, prepare_samplesheet_gate, debug_last_run",
      "/repair",
      "  autopilot_pipeline, analyze_run_log",
      "see /home/me/reviews/rnaseq",
      "  -",
      "https://example.org/paper",
      "  mcp_fetch__fetch",
    ]);
    expect(shown.get("research")).toBe("web_research, search_geo_sra, search_pubmed");
    expect(linesOf("pinned")).toEqual([
      "/audit pins report_only of run_compliance_autofix to true in this turn, and false came; /remediate or /autofix, typed by the user, lifts that [argument_pinned]",
      '"run_compliance_autofix: done"',
    ]);
  });

  it("T2 T3 T4 a search answers in lines and binds what may be bound; a skill is read by its path", () => {
    expect(linesOf("search").slice(0, 7)).toEqual([
      'Matches for "lint nextflow":',
      "- mcp_nextflow__lint_nextflow [mcp] — Lint a Nextflow pipeline with the language server and report problems.",
      "- lint_pipeline [core] — Runs the community lint over a pipeline and returns the findings",
      "Bound for your next step: mcp_nextflow__lint_nextflow, lint_pipeline",
      "",
      'Matches for "how is a pipeline reviewed":',
      "- skills/review/SKILL.md [skill] — How a pipeline is reviewed, from its inputs to its reports.",
    ]);
    const calls = shown.get("calls") ?? "";
    expect(calls).toContain('mcp_nextflow__lint_nextflow: "lint_nextflow: nothing found"');
    expect(calls).toContain("Name file and line for each finding.");
    expect(calls).toContain('"../oda/main.ts" is not below a folder that may be read [read_outside_fence]');
    expect(calls).toContain('no tool "run_compliance_autofix" is offered here [tool_not_offered]');
  });

  it("G7 G8 a read-only turn asks for what it lacks on a card, and a yes lets one call through", () => {
    expect(asked).toEqual([{ capability: "mutate", reason: "mutate is asked for: to keep the findings" }]);
    expect(linesOf("a read-only turn").at(-1)).toBe("7");
  });
});

describe("the example orchestrator", () => {
  let shown: Shown;
  const outside = openOutside();
  beforeAll(async () => {
    shown = await shownBy((show) => orchestrator(show, outside));
  });
  const linesOf = (title: string): readonly string[] => shown.get(title)?.split("\n") ?? [];

  it("Q4 C4 the calls of a response come back in their order, a failed one with a hint", () => {
    expect(linesOf("first response")).toEqual([
      'graph_semantic_search: [{"id":"deal_1","kind":"deal","name":"Harbour lights"},{"id":"deal_2","kind":"deal","name":"Mill roof"},{"id":"deal_3","kind":"deal","name":"Library heating"}]',
      'dashboard_query: {"by_stage":{"proposal":18000,"open":42000,"won":27500}}',
      "graph_semantic_search: graph_semantic_search returned no matches [no_matches]",
      "Hint: try broader kinds or a more general query",
    ]);
  });

  it("G10 a program's mail is planned, asking for its execution in the chat plans no more than that, and a yes sends it once", () => {
    expect(JSON.parse(shown.get("program: value") ?? "")).toEqual({
      deal: "Harbour lights",
      background: "the harbour wants the offer before Friday",
      mail: "planned",
    });
    expect(linesOf("program: calls")).toEqual([
      "#1 graph_semantic_search: ok, effect none",
      "#2 read_entity: ok, effect none",
      "#3 delegate: ok, effect none",
      "#4 read_entity: ok, effect none",
      "#5 write_card_draft: ok, effect done",
      "#6 send_email: planned, effect none",
    ]);
    expect(shown.get("asked for in the chat")).toBe("planned, mails 0");
    expect(shown.get("confirmed")).toBe("ok, then ok; mails 1");
    expect([...outside.mails.values()]).toEqual([
      { to: "ida@harbour.example", subject: "Our offer for Harbour lights" },
    ]);
    expect(linesOf("planned")).toEqual([
      "send_email: settled by the user",
      "write_card_draft: discarded by the user",
      "execute_planned_action: planned by nobody",
    ]);
  });

  it("C9 J3 a write whose answer was lost is tried again under its key, and is there once", () => {
    expect([...outside.cards.values()]).toEqual([
      { title: "Harbour lights", body: "the harbour wants the offer before Friday (Ida Brandt)" },
    ]);
  });

  it("C14 the model is told once that the budget is low, and refused at its end", () => {
    const [, low, ...rest] = linesOf("a small budget");
    expect(low).toBe("budget low, finish with what you have");
    expect(rest.at(-1)).toBe("Hint: make no more calls; finish with what you have");
    expect(shown.get("a small budget")?.match(/budget low/g)).toHaveLength(1);
  });

  it("J1 the trace has each call with its input, what it came to, its size and how often it was tried again", () => {
    const trace = linesOf("trace").map((line) => line.replace(/[\d.]+ ms/, "MS").replace(/action_\w+/, "ACTION"));
    expect(trace).toEqual([
      'graph_semantic_search {"query":"deals"}: ok, effect none; MS, 159 bytes, retries 1',
      'dashboard_query {"kind":"pipeline_by_stage"}: ok, effect none; MS, 56 bytes',
      'graph_semantic_search {"query":"invoices","kinds":["note"]}: error: graph_semantic_search returned no matches; MS, 0 bytes',
      'graph_semantic_search {"query":"open deals of the harbour","kinds":["deal"]}: ok, effect none; MS, 159 bytes',
      'read_entity {"id":"deal_1"}: ok, effect none; MS, 160 bytes',
      'delegate {"workflow":"background","input":"Harbour lights"}: ok, effect none; MS, 43 bytes',
      'read_entity {"id":"contact_1"}: ok, effect none; MS, 102 bytes',
      'write_card_draft {"title":"Harbour lights","body":"the harbour wants the offe…: ok, effect done; MS, 11 bytes, retries 1',
      'send_email {"to":"ida@harbour.example","subject":"Our offer for Harbour…: planned, effect none; MS, 162 bytes',
      'propose_action {"tool":"write_card_draft","arguments":{"title":"Mill roof",…: planned, effect none; MS, 168 bytes',
      'propose_action {"tool":"write_card_draft","arguments":{"title":"Mill roof",…: planned, effect none; MS, 168 bytes',
      'execute_planned_action {"action":"ACTION"}: planned, effect none; MS, 174 bytes',
      'execute_planned_action {"action":"ACTION"}: ok, effect done; MS, 57 bytes',
      'read_entity {"id":"deal_1"}: ok, effect none; MS, 160 bytes',
      'read_entity {"id":"deal_2"}: ok, effect none; MS, 135 bytes',
      'read_entity {"id":"deal_3"}: ok, effect none; MS, 138 bytes',
      'read_entity {"id":"note_1"}: refused: the turn has used up its budget of 3 calls; MS, 0 bytes',
      'send_email {"to":"ida@harbour.example","subject":"Our offer for Harbour…: ok, effect done; MS, 17 bytes',
    ]);
  });
});

describe("npm run example", () => {
  const run = promisify(execFile);
  const root = join(import.meta.dirname, "..");
  const script = join(root, "scripts/example.ts");

  it("R4 prints what the example of that name shows", async () => {
    const { stdout, stderr } = await run("npm", ["run", "-s", "example", "ditto"], { cwd: root });
    expect(stdout).toContain('== count: value ==\n\n{\n  "characters": 2\n}\n');
    expect(stderr).toBe("");
  });

  it("R4 tells the names there are where one is missing or unknown", async () => {
    for (const args of [[], ["nobody"], ["programs"]]) {
      const failed = run(process.execPath, [script, ...args]);
      await expect(failed).rejects.toMatchObject({
        code: 2,
        stdout: "",
        stderr: "usage: npm run example NAME, where NAME is one of codaris, ditto, oda, orchestrator\n",
      });
    }
  });
});
