import { expect, it } from "vitest";
import { cli, folderWith, server } from "./cli.ts";

const configured = (): string => {
  const at = folderWith({
    "tools.ts": `export default [
      { name: "refund_order", description: "Refunds an order and returns the amount. Slow.", execute: () => 1,
        inputSchema: { type: "object", properties: { order: { type: "integer", description: "Its number" } }, required: ["order"] } },
      { name: "list-orders", description: "Lists all orders", keywords: ["purchase"], execute: () => [] },
    ];`,
    "codecall.json": { tools: "./tools.ts", mcpServers: { words: server("broken") } },
  });
  return at("codecall.json");
};

it("U1 T2 search prints the tools that answer, one a line, and takes names in any form", async () => {
  const config = configured();
  const [words, exact, kind, none] = await Promise.all([
    cli(["search", "how do I refund purchases?", "--config", config]),
    cli(["search", "First", "--config", config, "--limit", "1", "--json"]),
    cli(["search", "word", "--config", config, "--kind", "core"]),
    cli(["search", "listOrder", "--config", config, "--kind", "core"]),
  ]);
  expect([words.code, exact.code, kind.code, none.code]).toEqual([0, 0, 0, 0]);
  expect(words.stdout).toBe(
    [
      'Matches for "how do I refund purchases?":',
      "- refund_order [core] — Refunds an order and returns the amount.",
      "- list-orders [core] — Lists all orders",
      "",
    ].join("\n"),
  );
  expect(JSON.parse(exact.stdout)).toEqual({
    hits: [{ name: "mcp_words__first", kind: "mcp", description: "Returns a word." }],
    closest: [],
  });
  expect(kind.stdout).toBe('No match for "word". The closest names: list-orders, refund_order\n');
  expect(none.stdout.split("\n")[1]).toBe("- list-orders [core] — Lists all orders");
});

it("U1 search refuses a kind and a limit that are none", async () => {
  const config = configured();
  const [kind, limit] = await Promise.all([
    cli(["search", "x", "--config", config, "--kind", "tools"]),
    cli(["search", "x", "--config", config, "--limit", "0"]),
  ]);
  expect([kind.code, limit.code]).toEqual([2, 2]);
  expect(kind.stderr).toContain("Allowed choices are any, tool, core, mcp.");
  expect(limit.stderr).toContain("It must be a whole number over 0.");
});

it("U1 D4 types keeps to a budget, and declares the tools that are named", async () => {
  const config = configured();
  const [small, one, wrong] = await Promise.all([
    cli(["types", "--config", config, "--budget", "160", "--json"]),
    cli(["types", "--config", config, "--tool", "list_orders", "--tool", "refund_order"]),
    cli(["types", "--config", config, "--tool", "list_order"]),
  ]);
  expect([small.code, one.code, wrong.code]).toEqual([0, 0, 2]);
  const { declarations, complete, counts } = JSON.parse(small.stdout) as {
    declarations: string;
    complete: boolean;
    counts: Record<string, number>;
  };
  expect(declarations.length).toBeLessThanOrEqual(160 * 4);
  expect(declarations).toContain("codecall search finds the others, and types --tool declares one.");
  expect(complete).toBe(counts.absent === 0);
  expect(one.stdout.split("\n").slice(4)).toEqual([
    "declare const tools: {",
    "/** Lists all orders */",
    "list_orders(args?: {}): Promise<Unknown>",
    "/** Refunds an order and returns the amount. Slow. */",
    "refund_order(args: {",
    " order: number // Its number",
    "}): Promise<Unknown>",
    "};",
    "",
  ]);
  expect(wrong.stderr).toContain('error: there is no tool "list_order"\nhint: did you mean "list-orders"?');
});
