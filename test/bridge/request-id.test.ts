import { describe, expect, it } from "vitest";
import type { AnyTool } from "../../src/registry/tool.ts";
import { openFixture } from "./fixture.ts";

const ids: string[] = [];
const writes = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: "Returns something",
  inputSchema: { type: "object" },
  effects: ["write"],
  execute: (_args, { requestId }) => ids.push(requestId),
  ...more,
});

/** The ids of calls with these numbers of the guest, asked in this order. */
async function idsOf(
  calls: readonly (readonly [seq: number, name: string, args?: object])[],
): Promise<readonly string[]> {
  const nested = writes("outer", {
    execute: async (_args, context) => {
      ids.push(context.requestId);
      await context.call("pay", { of: "outer" });
      await context.call("pay", { of: "outer" });
    },
  });
  const fixture = openFixture({ tools: [writes("pay"), writes("look", { effects: ["read"] }), nested] });
  ids.length = 0;
  for (const [seq, name, args] of calls) await fixture.request(name, args, { seq });
  return [...ids];
}

describe("a request id", () => {
  it("J3 is the same for the same call of a run, whatever was asked between, by programs or by tools", async () => {
    const [first] = await idsOf([[4, "pay", { n: 1 }]]);
    const [, again] = await idsOf([
      [2, "look"],
      [4, "pay", { n: 1 }],
    ]);
    expect(again).toBe(first);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    const [outer, one, two] = await idsOf([[4, "outer"]]);
    expect(
      (
        await idsOf([
          [1, "pay"],
          [2, "pay"],
          [4, "outer"],
        ])
      ).slice(2),
    ).toEqual([outer, one, two]);
    expect(new Set([outer, one, two]).size).toBe(3);
  });

  it("J3 G15 differs by the place in the program, the tool and the arguments", async () => {
    const made = await idsOf([
      [1, "pay", { n: 1 }],
      [2, "pay", { n: 1 }],
      [3, "pay", { n: 2 }],
      [4, "look", { n: 1 }],
    ]);
    expect(new Set(made).size).toBe(4);
  });

  it("J3 J1 stands in the journal with each attempt of a call that may write, and of no other", async () => {
    const fixture = openFixture({ tools: [writes("pay"), writes("look", { effects: ["read"] })] });
    await fixture.request("pay", {}, { seq: 1 });
    await fixture.request("look", {}, { seq: 2 });
    const intents = fixture.entries().filter(({ kind }) => kind === "intent");
    expect(intents).toEqual([
      { kind: "intent", call: 1, attempt: 1, requestId: ids.at(-2), at: expect.any(Number) as number },
      { kind: "intent", call: 2, attempt: 1, at: expect.any(Number) as number },
    ]);
  });
});
