import { expect, it } from "vitest";
import type { TurnSurface } from "../../src/index.ts";
import { leanWith, named, search } from "./fixture.ts";

const tools = ["pay", "refund_order", "list_orders", "send_mail", "weather"].map((name) => named(name));
const open = (deferLoading: boolean) => leanWith(tools, { alwaysOn: ["search_tools", "pay"], deferLoading });
const text = (surface: TurnSurface): string => JSON.stringify(surface.tools);
const deferring = (surface: TurnSurface): string => JSON.stringify(surface.deferring);

it("T6 over a conversation a discovery changes no byte before it: the array is only appended to", async () => {
  const lean = open(false);
  for (const queries of [["refund order"], ["send mail", "weather"]]) {
    const turn = await lean.turn();
    for (const query of queries) {
      const before = turn.surface();
      const prompt = await before.prompt;
      await search(turn, query);
      const after = turn.surface();
      expect(text(after).startsWith(`${text(before).slice(0, -1)},`)).toBe(true);
      expect(after.cacheBreakpoint).toBe("pay");
      expect((await after.prompt).messages).toEqual(prompt.messages);
    }
  }
});

it("T6 with deferLoading the array never changes, the rest is deferred, and a search refers to what it bound", async () => {
  const lean = open(true);
  lean.deployment.tool(named("fix", { gated: true }));
  const turn = await lean.turn();
  const before = turn.surface();
  expect(before.deferring?.map(({ name, deferLoading }) => [name, deferLoading])).toEqual([
    ["search_tools", undefined],
    ["pay", undefined],
    ["list_orders", true],
    ["refund_order", true],
    ["send_mail", true],
    ["weather", true],
  ]);
  const { results } = await turn.dispatch([{ id: "1", name: "search_tools", input: { query: "refund order" } }]);
  expect(results[0]?.toolReferences).toEqual(["refund_order", "list_orders"]);
  expect(deferring(turn.surface())).toBe(deferring(before));
  expect(deferring((await lean.turn()).surface())).toBe(deferring(before));
  const called = await turn.dispatch([
    { id: "2", name: "refund_order", input: {} },
    { id: "3", name: "weather", input: {} },
  ]);
  expect(called.results.map(({ isError }) => isError)).toEqual([false, true]);
});
