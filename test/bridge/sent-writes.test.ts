import { describe, expect, it } from "vitest";
import { readRecorded } from "../../src/bridge/recorded.ts";
import { createSentWrites } from "../../src/bridge/sent-writes.ts";
import { ToolError, TransientError } from "../../src/errors.ts";
import type { AnyTool } from "../../src/registry/tool.ts";
import { openFixture } from "./fixture.ts";

const inputSchema = { type: "object" } as const;

/** A write that counts, and a tool that has it done and then fails with each of these in turn. */
function relaying(failures: readonly unknown[], write: Partial<AnyTool> = {}) {
  const done: { requestId: string; args: unknown }[] = [];
  let times = 0;
  const tools: AnyTool[] = [
    {
      name: "write",
      description: "Returns how often it was done",
      inputSchema,
      effects: ["write"],
      execute: (args, { requestId }) => done.push({ requestId, args }),
      ...write,
    },
    {
      name: "relay",
      description: "Returns what write returned",
      inputSchema,
      effects: ["write"],
      idempotent: true,
      async execute(args, context) {
        const value = await context.call("write", args);
        const failure = failures[times++];
        if (failure !== undefined) throw failure;
        return value;
      },
    },
  ];
  return { done, tools };
}

const instantly = { random: () => 0 };
const again = (): TransientError => new TransientError("again", { retryAfterMs: 0 });

describe("a write that a tool asks for", () => {
  it("J3 C9 is not done again when its tool is tried again: it gets the first outcome", async () => {
    const { done, tools } = relaying([again()]);
    const fixture = openFixture({ tools, more: instantly });
    expect(await fixture.request("relay", { to: "ana" })).toMatchObject({ status: "ok", json: "1" });
    expect(done).toHaveLength(1);
    expect(
      fixture.record().map(({ seq, tool, status, effect, reused }) => ({ seq, tool, status, effect, reused })),
    ).toEqual([
      { seq: 1, tool: "relay", status: "ok", effect: "done", reused: undefined },
      { seq: 2, tool: "write", status: "ok", effect: "done", reused: undefined },
      { seq: 3, tool: "write", status: "ok", effect: "done", reused: "run_test.2" },
    ]);
  });

  it("J3 is done where it surely had no effect before", async () => {
    let tries = 0;
    const { tools } = relaying([], {
      execute() {
        tries += 1;
        if (tries === 1) throw new ToolError("closed");
        return tries;
      },
    });
    const retrying: AnyTool = {
      ...(tools[1] as AnyTool),
      async execute(args, context) {
        try {
          return await context.call("write", args);
        } catch {
          throw again();
        }
      },
    };
    const fixture = openFixture({ tools: [tools[0] as AnyTool, retrying], more: instantly });
    expect(await fixture.request("relay")).toMatchObject({ status: "ok", json: "2" });
  });

  it("J3 is done for each time that its tool asks for it in one attempt, and once for each after another", async () => {
    const { done, tools } = relaying([]);
    let attempts = 0;
    const twice: AnyTool = {
      ...(tools[1] as AnyTool),
      async execute(args, context) {
        await context.call("write", args);
        await context.call("write", args);
        attempts += 1;
        if (attempts === 1) throw again();
        return attempts;
      },
    };
    const fixture = openFixture({ tools: [tools[0] as AnyTool, twice], more: instantly });
    expect(await fixture.request("relay")).toMatchObject({ status: "ok", json: "2" });
    expect(done).toHaveLength(2);
    expect(new Set(done.map(({ requestId }) => requestId)).size).toBe(2);
  });

  it.each([
    { what: "done, where it had ended", ended: true, effect: "done" },
    { what: "unknown, where it had begun", ended: false, effect: "unknown" },
  ])("J3 J4 is $what in a process that was lost", async ({ ended, effect }) => {
    const first = relaying([]);
    const lost = openFixture({ tools: first.tools });
    await lost.request("relay", { to: "ana" }, { seq: 1 });
    const entries = lost.entries().filter((entry) => {
      if (entry.kind !== "out") return true;
      return ended && entry.call === 2;
    });
    const recorded = readRecorded(entries);
    const next = relaying([]);
    const fixture = openFixture({
      tools: next.tools,
      more: { made: recorded.calls.length, sent: createSentWrites("run_test", recorded) },
    });
    for (const entry of entries) fixture.log.append(entry);
    const [relay] = recorded.calls;
    if (relay === undefined) throw new Error("nothing was asked for");
    await fixture.step.rejoin(relay);
    expect(next.done).toEqual([]);
    expect(fixture.record().at(-1)).toMatchObject({ tool: "write", effect, reused: "run_test.2" });
  });
});

describe("a write that is tried again", () => {
  it("C9 C5 is unknown where an earlier attempt may have taken effect, whatever the last one says", async () => {
    const failures = [Object.assign(new Error("reset"), { code: "ECONNRESET" }), new ToolError("not allowed")];
    const tool: AnyTool = {
      name: "put",
      description: "Returns nothing",
      inputSchema,
      effects: ["write"],
      idempotent: true,
      execute() {
        throw failures.shift();
      },
    };
    const fixture = openFixture({ tools: [tool], more: instantly });
    expect(await fixture.request("put")).toMatchObject({
      status: "error",
      effect: "unknown",
      failure: { message: "not allowed" },
    });
  });
});
