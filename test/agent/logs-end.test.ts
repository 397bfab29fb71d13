import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/index.ts";
import { tool } from "./fixture.ts";
import { tenant, useHosts } from "./stored.ts";

const hosts = useHosts({ callMs: 100 });
const look = tool("look", () => "seen", { effects: ["read"] });
const write = tool("write", () => "written", { effects: ["write"] });

const summary = async () =>
  (await hosts.store.list({ tenant, limit: 100 })).map(({ status, claim, session }) => ({ status, claim, session }));

describe("the log of what was called directly", () => {
  it("J2 J9 ends with its block, and nobody holds it any more", async () => {
    const agent = await hosts.agent("first", [look, write]);
    await using session = await agent.session("chat", { tenant });
    const turn = session.turn();
    await turn.dispatch([
      { id: "1", name: "look", input: {} },
      { id: "2", name: "write", input: {} },
    ]);
    expect(await summary()).toEqual([{ status: "completed", session: "chat" }]);
    const entries = await hosts.entries(turn.record()[0]?.runId ?? "");
    expect(entries.filter(({ kind }) => kind === "out")).toHaveLength(2);
    expect(entries.at(-1)).toMatchObject({ kind: "end", status: "completed" });
  });

  it("J2 J9 that of the host's own calls ends with the turn", async () => {
    const agent = await hosts.agent("first", [look]);
    const session = await agent.session("chat", { tenant });
    const turn = session.turn();
    await turn.call("look");
    await turn.call("look");
    expect(await summary()).toEqual([]);
    turn[Symbol.dispose]();
    await session[Symbol.asyncDispose]();
    expect(await summary()).toEqual([{ status: "completed", session: "chat" }]);
    expect((await hosts.entries(turn.record()[0]?.runId ?? "")).at(-1)).toMatchObject({ kind: "end" });
  });

  it("J2 a block without calls of tools leaves no run of its own", async () => {
    const agent = await hosts.agent("first");
    await using session = await agent.session("chat", { tenant });
    await session.turn().dispatch([{ id: "1", name: "run_program", input: { code: "return 1" } }]);
    await session.turn().dispatch([]);
    expect(await summary()).toEqual([{ status: "completed", session: "chat" }]);
  });
});

describe("the log of a program", () => {
  it("J9 is nobody's once the program has ended, whether well or not", async () => {
    const agent = await hosts.agent("first", [look]);
    await agent.run("return await tools.look()", { tenant });
    await agent.run("throw new Error('no')", { tenant });
    expect((await summary()).map(({ status, claim }) => [status, claim])).toEqual([
      ["failed", undefined],
      ["completed", undefined],
    ]);
  });

  it("C6 J2 takes in what a tool answers late, and is given up when the turn is over", async () => {
    const late = Promise.withResolvers<string>();
    const slow = tool("slow", () => late.promise, { effects: ["write"] });
    const agent = await hosts.agent("first", [slow]);
    const session = await agent.session("chat", { tenant });
    const turn = session.turn();
    const run = await turn.run("try { await tools.slow() } catch (error) { return error.status }");
    expect(run).toMatchObject({ status: "completed", value: "unknown" });
    expect((await summary())[0]).toMatchObject({ status: "completed", claim: { until: expect.any(Number) } });
    late.resolve("done");
    await expect
      .poll(async () => (await hosts.entries(run.runId)).at(-1))
      .toMatchObject({
        kind: "late",
        status: "ok",
        effect: "done",
      });
    await session[Symbol.asyncDispose]();
    expect(await summary()).toEqual([{ status: "completed", session: "chat" }]);
  });
});

describe("direct calls whose process was lost", () => {
  it("J4 J6 C5 are settled and told, each as what became of it, and nothing is executed", async () => {
    const done: string[] = [];
    const counted = [
      tool("look", () => done.push("look"), { effects: ["read"], parallelSafe: true }),
      tool("write", () => done.push("write"), { effects: ["write"], parallelSafe: true }),
      tool(
        "fail",
        () => {
          throw new ToolError("no");
        },
        { effects: ["write"] },
      ),
    ];
    const agent = await hosts.agent("first", counted);
    await using session = await agent.session("chat", { tenant });
    const turn = session.turn();
    await turn.dispatch([
      { id: "1", name: "write", input: { n: 1 } },
      { id: "2", name: "write", input: { n: 2 } },
      { id: "3", name: "look", input: {} },
      { id: "4", name: "fail", input: {} },
    ]);
    const runId = turn.record()[0]?.runId ?? "";
    const entries = (await hosts.entries(runId)).filter(
      (entry) =>
        entry.kind !== "end" &&
        !(entry.kind === "out" && entry.call > 1) &&
        !("call" in entry && entry.call === 4 && entry.kind !== "ask"),
    );
    await hosts.lose(runId, entries);
    done.length = 0;
    const other = await hosts.agent("second", counted);
    await using again = await other.session("chat", { tenant });
    const run = await again.resume(runId);
    expect(done).toEqual([]);
    expect(run).toMatchObject({
      status: "failed",
      error: {
        code: "run_not_resumable",
        message: `${runId} is no program but calls that were made directly, so it does not go on`,
      },
    });
    expect(run.calls.map(({ status, effect }) => [status, effect])).toEqual([
      ["ok", "done"],
      ["unknown", "unknown"],
      ["cancelled", "none"],
      ["cancelled", "none"],
    ]);
    expect(run.toModel()).toContain("- done: #1 write");
    expect(run.toModel()).toContain("- never started: #4 fail");
    expect(await again.resume(runId)).toMatchObject({
      status: "failed",
      error: run.status === "failed" ? run.error : {},
    });
    expect(await summary()).toEqual([{ status: "failed", session: "chat" }]);
  });
});
