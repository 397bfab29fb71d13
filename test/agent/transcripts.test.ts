import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/index.ts";
import { describeShared, sharedPath } from "../shared.ts";
import { useRuntime } from "./fixture.ts";

interface Part {
  readonly type: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: { readonly success: boolean; readonly result: unknown; readonly logs: readonly string[] };
}

const read = (file: string): unknown => JSON.parse(readFileSync(sharedPath("transcripts", file), "utf8"));

type Row = Record<string, unknown>;

/** The recorded tool over the recorded tables. */
function queryTable() {
  const { tables } = read("00-tanstack-db-fixture.json") as { tables: Record<string, Row[]> };
  return defineTool({
    name: "queryTable",
    description: "Returns the rows of a table",
    inputSchema: z.object({
      table: z.enum(["customers", "products", "purchases"]),
      columns: z.array(z.string()).optional(),
      where: z.record(z.string(), z.unknown()).optional(),
      orderBy: z.string().optional(),
      limit: z.number().optional(),
    }),
    effects: ["read"],
    parallelSafe: true,
    execute: ({ table, columns }) => {
      const rows = tables[table] ?? [];
      return {
        rows:
          columns === undefined
            ? rows
            : rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]]))),
      };
    },
  });
}

describeShared("recorded programs", () => {
  const runtime = useRuntime();

  it.each(["01-tanstack-codemode-db-1.json", "02-tanstack-codemode-db-2.json", "04-tanstack-codemode-db-4.json"])(
    "X1 X10 H3 a model's program gives the recorded value and console: %s",
    async (file) => {
      const { messages } = read(file) as { messages: { parts: Part[] }[] };
      const programs = messages.flatMap(({ parts }) => parts).filter(({ name }) => name === "execute_typescript");
      expect(programs).not.toHaveLength(0);
      for (const { arguments: args, output } of programs) {
        const { typescriptCode } = JSON.parse(args ?? "") as { typescriptCode: string };
        const run = await runtime.run(typescriptCode.replaceAll("external_queryTable", "tools.queryTable"), [
          queryTable(),
        ]);
        expect(run).toMatchObject({ status: "completed", value: output?.result });
        expect(run.console).toEqual(output?.logs.map((text) => ({ level: "log", text })));
        expect(run.calls.every(({ status, tool }) => status === "ok" && tool === "queryTable")).toBe(true);
      }
    },
  );
});
