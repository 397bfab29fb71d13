import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDeployment } from "../../src/index.ts";
import { bound, leanWith, named, read, search } from "./fixture.ts";

const always = ["search_tools", "read_file", "ask_user"];
const tools = [
  named("ask_user"),
  named("lint_nextflow", { description: "Lint a Nextflow pipeline and report problems." }),
  named("lint_pipeline", { description: "Run the lint of a pipeline and return the findings." }),
  named("refund_order"),
  named("autofix", { gated: true, inputSchema: { type: "object", properties: { report_only: { type: "boolean" } } } }),
  named("hidden_order", { enabled: false }),
];

describe("a lean surface", () => {
  it("T1 T6 shows the always-on tools alone, in their order, until something is found", async () => {
    const lean = leanWith(tools, { alwaysOn: always });
    const turn = await lean.turn();
    expect(bound(turn)).toEqual(always);
    expect(turn.surface().cacheBreakpoint).toBe("ask_user");
    expect(turn.surface().deferring).toBeUndefined();
  });

  it("T1 an always-on name without a tool, or of a gated one, refuses the start and says what there is", async () => {
    const start = (alwaysOn: string[]) => leanWith(tools, { alwaysOn }).turn();
    await expect(start(["request_capability"])).rejects.toMatchObject({
      code: "cannot_start",
      message:
        'composition "lean" cannot start: alwaysOn lists "request_capability", and no tool of that name is visible',
    });
    await expect(start(["lint_nextfow"])).rejects.toMatchObject({ hint: "did you mean lint_nextflow?" });
    await expect(start(["autofix"])).rejects.toMatchObject({
      message: 'composition "lean" cannot start: alwaysOn lists "autofix", which is gated, so only a command binds it',
    });
    expect(() => createDeployment({ lean: { alwaysOn: [] } })).toThrow("lean of createDeployment needs alwaysOn");
    expect(() => createDeployment({ lean: { alwaysOn: ["a", "a"] } })).toThrow('lists "a" twice');
  });

  it("T1 a tool of the host's own stands in place of a provided one, and binds nothing", async () => {
    const own = named("search_tools", { execute: () => ({ text: "x", bound: ["refund_order"] }) });
    const turn = await leanWith([...tools, own], { alwaysOn: always.filter((name) => name !== "read_file") }).turn();
    expect(await search(turn, "refund")).toBe('{"text":"x","bound":["refund_order"]}');
    expect(bound(turn)).toEqual(["search_tools", "ask_user"]);
  });

  it("T2 T3 answers in lines, and binds what it found from the next round", async () => {
    const turn = await leanWith(tools, { alwaysOn: always }).turn();
    const { results } = await turn.dispatch([
      { id: "1", name: "search_tools", input: { query: "lint nextflow" } },
      { id: "2", name: "lint_nextflow", input: {} },
    ]);
    expect(results.map(({ content }) => content)).toEqual([
      [
        'Matches for "lint nextflow":',
        "- lint_nextflow [core] — Lint a Nextflow pipeline and report problems.",
        "- lint_pipeline [core] — Run the lint of a pipeline and return the findings.",
        "Bound for your next step: lint_nextflow, lint_pipeline",
      ].join("\n"),
      'no tool "lint_nextflow" is offered here [tool_not_offered]\n' +
        "Hint: lint_nextflow is not bound: a search with search_tools that finds it binds it",
    ]);
    expect(bound(turn)).toEqual([...always, "lint_nextflow", "lint_pipeline"]);
    expect(await read(turn, "lint_nextflow")).toBe('"lint_nextflow"');
  });

  it("T2 no hit answers with the closest names, and an unknown kind with the kinds", async () => {
    const turn = await leanWith(tools, { alwaysOn: always }).turn();
    expect(await search(turn, "refnd_ordr")).toBe(
      'No match for "refnd_ordr". The closest names: refund_order, ask_user, autofix',
    );
    const refused = await search(turn, "x", "tools");
    for (const kind of ["any", "tool", "core", "mcp", "skill", "reference"]) expect(refused).toContain(`"${kind}"`);
    expect(refused).toContain("[arguments_invalid]");
  });

  it("T3 holds for two more turns, and only the session's own searches count", async () => {
    const echo = named("ask_user", {
      execute: async (_args, context) => {
        await context.call("search_tools", { query: "refund order" });
        return "Bound for your next step: refund_order";
      },
    });
    const lean = leanWith([echo, ...tools.slice(1)], { alwaysOn: always });
    const first = await lean.turn();
    expect(await read(first, "ask_user")).toBe('"Bound for your next step: refund_order"');
    expect(bound(first)).toEqual(always);
    await search(first, "refund order");
    first[Symbol.dispose]();
    const seen = [];
    for (let count = 0; count < 3; count += 1) seen.push(bound(await lean.turn()).slice(3));
    expect(seen).toEqual([["refund_order"], ["refund_order"], []]);
  });

  it("T4 a gated tool is found and never bound by search; its command binds it for that turn", async () => {
    const lean = leanWith(tools, { alwaysOn: always });
    lean.deployment.command({ name: "fix", tools: ["autofix"] });
    const turn = await lean.turn({ text: "please fix it" });
    expect(await search(turn, "autofix")).toBe(
      'Matches for "autofix":\n- autofix [core] — Returns what autofix is about.',
    );
    expect(await read(turn, "autofix")).toBe(
      'no tool "autofix" is offered here [tool_not_offered]\n' +
        "Hint: autofix runs only in a turn in which the user types /fix",
    );
    expect(bound(await lean.turn({ text: "(/Fix)" }))).toEqual([...always, "autofix"]);
    expect(bound(await lean.turn())).toEqual(always);
  });

  it("T4 G10 a gated tool that its command bound and that was planned runs when it is confirmed", async () => {
    const send = named("send", { gated: true, effects: ["external"] });
    const lean = leanWith([...tools, send], { alwaysOn: always });
    lean.deployment.command({ name: "send", tools: ["send"] });
    const session = await (await lean.deployment.agent("a")).session("gate");
    const turn = session.turn({ text: "/send" });
    expect((await turn.dispatch([{ id: "1", name: "send", input: {} }])).results[0]?.outcome).toMatchObject({
      status: "planned",
    });
    const [action] = session.planned();
    expect(await session.confirm(action?.id ?? "", { by: "Mara" })).toMatchObject({ status: "ok", value: "send" });
  });

  it("T3 G10 what is confirmed while a turn goes on takes none of its later searches away", async () => {
    const send = named("send", { effects: ["external"] });
    const lean = leanWith([...tools, send], { alwaysOn: [...always, "send"] });
    const session = await (await lean.deployment.agent("a")).session("chat");
    const turn = session.turn();
    await turn.call("search_tools", { query: "refund order" });
    await turn.call("send");
    await session.confirm(session.planned()[0]?.id ?? "", { by: "Mara" });
    await turn.call("search_tools", { query: "lint nextflow" });
    expect(bound(turn)).toEqual([...always, "send", "refund_order", "lint_nextflow", "lint_pipeline"]);
  });

  it("G6 read_file reads in the session's workspace, from which relative paths are seen", async () => {
    const workspace = realpathSync(mkdtempSync(join(tmpdir(), "codecall-workspace-")));
    writeFileSync(join(workspace, "a.txt"), "hello");
    const deployment = createDeployment({ roots: [], lean: { alwaysOn: ["read_file"] } });
    const session = await (await deployment.agent("a")).session("chat", { workspace });
    for (const path of ["a.txt", join(workspace, "a.txt")])
      expect(await session.turn().call("read_file", { path })).toMatchObject({
        status: "ok",
        value: { text: "hello" },
      });
  });

  it("T4 what is switched off or withheld from an activity is neither offered, bound nor found", async () => {
    const lean = leanWith(tools, { alwaysOn: always, activities: { plan: { withhold: ["refund_*"] } } });
    lean.deployment.command({ name: "pay", tools: ["refund_order"] });
    await search(await lean.turn(), "refund order");
    const turn = await lean.turn({ activity: "plan", text: "/pay" });
    expect(bound(turn)).toEqual(always);
    expect(await search(turn, "order")).toMatch(/^No match for "order"/);
    expect(await read(turn, "refund_order")).not.toContain("not bound");
    expect(turn.search("order").hits).toEqual([]);
    expect(bound(await lean.turn())).toEqual([...always, "refund_order"]);
  });

  it("T4 G7 a turn that says no activity is one to act, whatever is withheld from that", async () => {
    const lean = leanWith(tools, {
      alwaysOn: always,
      activities: { act: { withhold: ["refund_*"], add: ["lint_nextflow"] } },
    });
    for (const options of [{}, { activity: "act" }]) {
      const turn = await lean.turn(options);
      expect(bound(turn)).toEqual([...always, "lint_nextflow"]);
      expect(await search(turn, "order")).toMatch(/^No match for "order"/);
    }
    expect(bound(await lean.turn({ activity: "plan" }))).toEqual(always);
  });

  it("G6 T5 an argument that is a path is pinned as it is typed, not as it leads", async () => {
    const lean = leanWith([...tools, named("save", { paths: { read: ["path"] }, execute: (args) => args })], {
      alwaysOn: always,
    });
    lean.deployment.command({ name: "save", tools: ["save"], pins: { save: { path: "out.txt" } } });
    const turn = await lean.turn({ text: "/save" });
    const path = join(realpathSync(process.cwd()), "out.txt");
    expect(JSON.parse(await read(turn, "save", { path: "out.txt" }))).toEqual({ path });
    expect(await read(turn, "save", { path: "in.txt" })).toBe(
      '/save pins path of save to "out.txt" in this turn, and "in.txt" came [argument_pinned]',
    );
  });

  it("T5 a pinned argument is enforced at dispatch, whoever calls, unless its pin is lifted", async () => {
    const lean = leanWith(tools, { alwaysOn: always });
    lean.deployment.command({ name: "audit", tools: ["autofix"], pins: { autofix: { report_only: true } } });
    lean.deployment.command({ name: "remediate", tools: ["autofix"], lifts: ["autofix"] });
    const turn = await lean.turn({ text: "/audit" });
    expect(await read(turn, "autofix", { report_only: true })).toBe('"autofix"');
    expect(await read(turn, "autofix", { report_only: false })).toBe(
      "/audit pins report_only of autofix to true in this turn, and false came; /remediate, typed by the user, lifts that [argument_pinned]",
    );
    expect(await read(turn, "autofix")).toContain("and it was not given;");
    expect(turn.record().map(({ status, decision }) => [status, decision.code])).toEqual([
      ["ok", "allowed"],
      ["refused", "argument_pinned"],
      ["refused", "argument_pinned"],
    ]);
    expect(await read(await lean.turn({ text: "/audit /remediate" }), "autofix")).toBe('"autofix"');
  });

  it("T5 a pasted link binds the fetcher of a source with the keyword url; research only adds", async () => {
    const url = { type: "object", properties: { url: { type: "string" } } };
    const lean = leanWith(tools, {
      alwaysOn: always,
      activities: { research: { add: ["lint_*"] } },
    });
    await lean.deployment.source({
      name: "fetch",
      prefix: "fetch__",
      tools: async () => [
        named("clear", { keywords: ["url"] }),
        named("fetch_page", { keywords: ["url"], inputSchema: url }),
        named("look_up", { keywords: ["url"], inputSchema: url }),
      ],
      [Symbol.asyncDispose]: async () => undefined,
    });
    expect(bound(await lean.turn({ text: "see https://x.org/a?b" }))).toEqual([...always, "fetch__fetch_page"]);
    expect(bound(await lean.turn({ text: "see x.org" }))).toEqual(always);
    expect(bound(await lean.turn({ activity: "research" }))).toEqual([...always, "lint_nextflow", "lint_pipeline"]);
  });

  it("T6 forced tools come before found ones, and one that is both is forced", async () => {
    const lean = leanWith(tools, { alwaysOn: always });
    lean.deployment.command({ name: "lint", tools: ["lint_pipeline"] });
    const turn = await lean.turn({ text: "/lint" });
    await search(turn, "refund order");
    await search(turn, "lint");
    expect(bound(turn)).toEqual([...always, "lint_pipeline", "refund_order", "lint_nextflow"]);
    expect(bound(await lean.turn()).slice(3)).toEqual(["refund_order", "lint_nextflow", "lint_pipeline"]);
  });

  it("T7 each turn logs what it binds, and two wordings of one task bind the same", async () => {
    const lean = leanWith(tools, { alwaysOn: always });
    lean.deployment.command({ name: "fix", tools: ["autofix"] });
    await search(await lean.turn(), "refund order");
    const one = bound(await lean.turn({ text: "/fix the order, quickly" }));
    expect(bound(await lean.turn({ text: "would you kindly... /FIX!" }))).toEqual(one);
    expect(lean.lines).toEqual([
      "Lean tools active: bound 3 tools to model (3 always-on, 0 forced, 0 found by search; filtered from 7).",
      "Lean tools active: bound 5 tools to model (3 always-on, 1 forced, 1 found by search; filtered from 7).",
      "Lean tools active: bound 5 tools to model (3 always-on, 1 forced, 1 found by search; filtered from 7).",
    ]);
  });

  it("T9 a usage line a turn: input tokens, cached share, tokens of declarations", async () => {
    const lean = leanWith(tools, { alwaysOn: always });
    const turn = await lean.turn();
    const declared = turn.surface().tools.reduce((sum, tool) => sum + Math.ceil(JSON.stringify(tool).length / 4), 0);
    turn.usage({ inputTokens: 1_000, cachedTokens: 500 });
    const total = turn.usage({ inputTokens: 1_000, cachedTokens: 1_000 });
    turn[Symbol.dispose]();
    const line = `Usage of turn 1: 2000 input tokens, 75 % from cache, ${2 * declared} in declarations of tools.`;
    expect(total).toEqual({ inputTokens: 2_000, cachedTokens: 1_500, declarationTokens: 2 * declared, line });
    expect(lean.lines.slice(1)).toEqual([line]);
    expect(() => turn.usage({ inputTokens: -1 })).toThrow(
      "inputTokens of turn.usage must be an integer from 0, got -1",
    );
  });

  it("T10 the text tells the model to search and never to guess, and stays as it is whatever is found", async () => {
    const turn = await leanWith(tools, { alwaysOn: always }).turn();
    const { text } = await turn.surface().prompt;
    expect(text).toMatch(
      /^Only some of the tools are bound\. When none of them fits, call `search_tools` .* Never guess a tool's name\.\n\nTools:\n- search_tools: /,
    );
    expect(text.match(/^- \w+/gm)).toEqual(["- search_tools", "- read_file", "- ask_user"]);
    await search(turn, "refund order");
    expect((await turn.surface().prompt).appended).toEqual([]);
  });

  it("G16 a repeated search is told that the tools are bound, and the fourth repeat ends the turn's searching", async () => {
    const turn = await leanWith(tools, { alwaysOn: always }).turn();
    const ask = async (query: string) => {
      const { results, ended } = await turn.dispatch([{ id: "1", name: "search_tools", input: { query } }]);
      return { content: results[0]?.content.split("\n")[0], ended };
    };
    await ask("refund order");
    const told = 'this turn already searched for "Order, REFUND", and the tools are already bound: refund_order';
    const repeats = [await ask("Order, REFUND"), await ask("order refund"), await ask("REFUND order")];
    expect(repeats.map(({ ended }) => ended)).toEqual([undefined, undefined, undefined]);
    expect(repeats[0]?.content).toBe(`${told} [search_repeated]`);
    const last = `${told}; that was repeat 4 of a search, so answer with what there is`;
    expect(await ask("Order, REFUND")).toEqual({ content: `${last} [search_repeated]`, ended: last });
  });

  it("G16 a search that was refused before it ran is no search that was made", async () => {
    const lean = leanWith(tools, { alwaysOn: always });
    const guard = lean.deployment.guard("later", () => "not now");
    const turn = await lean.turn();
    expect(await search(turn, "refund order")).toBe('guard "later" refused the call: not now [guard_refused]');
    guard[Symbol.dispose]();
    for (let round = 0; round < 2; round += 1)
      expect(await search(turn, "refund order", "tools")).toContain("[arguments_invalid]");
    expect(await search(turn, "refund order")).toContain("Bound for your next step: refund_order");
    expect(await search(turn, "refund order")).toContain("the tools are already bound: refund_order");
  });

  it("T2 skills and references are found by their path, never bound, and read by it", async () => {
    const folder = join(mkdtempSync(join(tmpdir(), "codecall-skills-")), "skills");
    mkdirSync(folder);
    writeFileSync(join(folder, "review.md"), "# Review\n\nHow a pipeline is reviewed.\n");
    const lean = leanWith(tools, { alwaysOn: always });
    lean.deployment.skill({ folder });
    expect(() => lean.deployment.skill({ folder })).toThrow(
      'scope "deployment" already has a folder of skills "skills"',
    );
    const turn = await lean.turn();
    expect(await search(turn, "how to review", "skill")).toBe(
      'Matches for "how to review":\n- skills/review.md [skill] — How a pipeline is reviewed.',
    );
    expect(await read(turn, "read_file", { path: "skills/review.md" })).toBe(
      "# Review\n\nHow a pipeline is reviewed.\n",
    );
    expect(bound(turn)).toEqual(always);
  });

  it("T5 commands and skills need a lean deployment", () => {
    const deployment = createDeployment();
    expect(() => deployment.command({ name: "x", tools: [] })).toThrow(
      "a command needs a deployment with a lean surface",
    );
    expect(() => deployment.skill({ folder: "." })).toThrow(
      "a folder of skills needs a deployment with a lean surface",
    );
  });

  it("T2 the host searches without binding, lean or not", async () => {
    const turn = await leanWith(tools, { alwaysOn: always }).turn();
    expect(turn.search("refund an order", { kind: "tool", limit: 1 })).toEqual({
      hits: [{ name: "refund_order", kind: "core", description: "Returns what refund_order is about." }],
      text: 'Matches for "refund an order":\n- refund_order [core] — Returns what refund_order is about.',
    });
    expect(bound(turn)).toEqual(always);
    const plain = createDeployment();
    plain.tool(named("refund_order"));
    const agent = await plain.agent("plain");
    expect(agent.search("refund").hits.map(({ name }) => name)).toEqual(["refund_order"]);
    expect(() => agent.search("x", { kind: "tools" as "tool" })).toThrow(
      'kind of search must be one of any, tool, core, mcp, skill, reference, got "tools"',
    );
  });
});
