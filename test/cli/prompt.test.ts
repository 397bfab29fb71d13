import { describe, expect, it } from "vitest";
import { running } from "../mcp/fixtures/processes.ts";
import { cli, folderWith, server } from "./cli.ts";

const tools = `export const tools = ["find_order", "cancel_order"].map((name) => ({
  name,
  description: "Returns an \\u001b[31morder",
  inputSchema: { type: "object" },
  execute: () => null,
}));`;

describe("codecall prompt", () => {
  it("U1 P12 prints the text of a configuration, and the tokens of its parts on stderr", async () => {
    const at = folderWith({ "codecall.json": { tools: "./tools.mjs", form: "direct" }, "tools.mjs": tools });
    const { code, stdout, stderr } = await cli(["prompt", "--config", at("codecall.json"), "--model", "m-1"]);
    expect(stdout).toBe("Tools:\n- cancel_order: Returns an order\n- find_order: Returns an order\n");
    expect(stderr).toBe("tokens, four characters each:\n20  tools\n20  in all\n");
    expect(code).toBe(0);
  });

  it("U1 P12 prints one object with --json, in the form that is asked for, and leaves no process", async () => {
    const mark = crypto.randomUUID();
    const at = folderWith({ "codecall.json": { mcpServers: { words: server("good", mark) } } });
    const { code, stdout, stderr } = await cli(["prompt", "--config", at("codecall.json"), "--form", "code", "--json"]);
    const told = JSON.parse(stdout) as { text: string; tokens: number; parts: object[]; warnings: string[] };
    const { text, tokens, parts, warnings } = told;
    expect(text).toMatch(/^Write TypeScript statements [^]*```ts\n[^]*\nmcp_words__[^]*```$/);
    expect([code, tokens]).toEqual([0, Math.ceil(text.length / 4)]);
    expect(parts).toEqual([{ kind: "tools", name: "tools", text, tokens }]);
    expect(warnings).toEqual([]);
    expect(stderr).toContain(
      'guidance and declarations are shown here as part of the prompt; an agent has them in the description of its code tool unless its deployment says declareIn: "prompt"\n',
    );
    expect(running(mark)).toEqual([]);
  });

  it("U1 D1 warns of what cannot be declared as it is written", async () => {
    const broken = `export const tools = [{
      name: "find",
      description: "Returns one",
      inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/gone" } } },
      execute: () => null,
    }];`;
    const at = folderWith({ "codecall.json": { tools: "./tools.mjs" }, "tools.mjs": broken });
    const { code, stdout, stderr } = await cli(["prompt", "--config", at("codecall.json"), "--json"]);
    const { warnings } = JSON.parse(stdout) as { warnings: string[] };
    expect([code, warnings.length]).toEqual([0, 1]);
    expect(warnings[0]).toMatch(/^tool "find", inputSchema: /);
    expect(stderr).toContain(`warning: ${warnings[0]}\n`);
  });

  it("U1 says where there is nothing to tell, and refuses a form that does not exist", async () => {
    const at = folderWith({ "codecall.json": { form: "direct" } });
    const nothing = await cli(["prompt", "--config", at("codecall.json")]);
    expect(nothing).toMatchObject({
      code: 0,
      stdout: "",
      stderr: `tokens, four characters each:\n0  in all\nwarning: ${at("codecall.json")} configures nothing that a model is told\n`,
    });
    const wrong = await cli(["prompt", "--config", at("codecall.json"), "--form", "program"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("Allowed choices are direct, code, both.");
  });
});
