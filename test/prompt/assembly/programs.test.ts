import { describe, expect, it } from "vitest";
import { createDeployment, type DeploymentOptions, type Form } from "../../../src/index.ts";
import { addedGlobals, unavailable, unavailableMessage } from "../../../src/program-globals.ts";
import { programGuidance } from "../../../src/prompt/guidance.ts";
import { present } from "../../../src/prompt/present.ts";
import { tool, useRuntime } from "../../agent/fixture.ts";
import { addTool, deploy } from "./fixture.ts";

const fixture = useRuntime();

/** What stands between backticks, in order. */
const quotedIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span ?? "");

async function surfaceOf(form: Form, options: DeploymentOptions = {}) {
  const deployment = createDeployment(options);
  deployment.section({ name: "plan", order: 10, text: "Plan." });
  deployment.tool(tool("both", () => null, { description: "Returns one thing" }));
  deployment.tool(tool("direct_only", () => null, { description: "Returns {{ another }}", callers: ["direct"] }));
  deployment.tool(tool("code_only", () => null, { description: "Returns a third", callers: ["code"] }));
  const agent = await deployment.agent("agent", { form, runtime: fixture.runtime });
  const surface = agent.surface();
  return { ...surface, prompt: await surface.prompt };
}

describe("what a model is told of programs", () => {
  it("P12 names only what a program has, and says is missing what throws one sentence", async () => {
    const [told = "", missing = ""] = programGuidance("code").split("there is no ");
    const keywords = ["await", "return"];
    const fields = ["code", "message", "hint"];
    const names = quotedIn(told).filter((span) => /^[\w.]+$/.test(span) && ![...keywords, ...fields].includes(span));
    expect(names).toEqual([
      "ToolError",
      "console.log",
      "state",
      ...addedGlobals.filter((name) => !["tools", "ToolError", "console", "results", "show", "state"].includes(name)),
    ]);
    const kinds = await fixture.value(`return [${names.map((name) => `typeof ${name}`).join(", ")}]`);
    const objects = ["crypto", "performance", "state"];
    expect(kinds).toEqual(names.map((name) => (objects.includes(name) ? "object" : "function")));
    const absent = quotedIn(missing.split(".")[0] ?? "");
    expect(absent).toEqual(unavailable.map(({ name }) => name));
    const thrown = await fixture.value(
      `const told = [];
       for (const name of ${JSON.stringify(absent)}) try { globalThis[name].x; globalThis[name]() } catch (error) { told.push(error.message) }
       return told`,
    );
    expect(thrown).toEqual(unavailable.map(unavailableMessage));
  });

  it("P12 shows calls that run as they are written, independent ones together", async () => {
    const spans = quotedIn(`${programGuidance("code")} ${programGuidance("both")}`);
    const examples = [...new Set(spans.filter((span) => span.includes("tools.")))];
    expect(examples).toEqual([
      "await tools.name({ ... })",
      "const [a, b] = await Promise.all([tools.x({ ... }), tools.y({ ... })])",
      "return await tools.name({ ... })",
    ]);
    const tools = ["name", "x", "y"].map((name) => tool(name, () => name, { effects: [], parallelSafe: true }));
    const [single, together, returned] = examples.map((example) => example.replaceAll("{ ... }", "{}"));
    expect(await fixture.value(`${together}; return [${single}, a, b]`, tools)).toEqual(["name", "x", "y"]);
    expect(await fixture.value(String(returned), tools)).toBe("name");
  });

  it("P12 says how a failed call can be caught", async () => {
    expect(programGuidance("code")).toContain("throws a `ToolError` with `code`, `message` and `hint`");
    const fails = tool("fails", () => null, { effects: [] });
    const caught = await fixture.value(
      `try { await tools["fail" + "z"]({}) } catch (error) { return [error instanceof ToolError, error.code, typeof error.message, typeof error.hint] }`,
      [fails],
    );
    expect(caught).toEqual([true, "tool_not_offered", "string", "string"]);
  });

  it("P12 says when no program is needed: in both, a single call goes direct; in code, one line is enough", () => {
    expect(programGuidance("both")).toContain(
      "For a single call whose result you need whole, write no program: call that tool directly.",
    );
    expect(programGuidance("code")).toContain(
      "For a single call whose result you need whole, one line is enough: `return await tools.name({ ... })`.",
    );
  });

  it("P12 F7 is the same whatever tools there are", async () => {
    const before = (description = "") => description.slice(0, description.indexOf("```ts"));
    const { codeTool } = await surfaceOf("code");
    const { deployment } = deploy();
    addTool(deployment, "other");
    const agent = await deployment.agent("agent", { form: "code", runtime: fixture.runtime });
    expect(before(codeTool?.description)).toBe(before(agent.surface().codeTool?.description));
    expect(before(codeTool?.description)).toContain(programGuidance("code"));
  });
});

describe("where declarations stand", () => {
  it("P12 P9 in the code tool's description: then the prompt has the tools that are called directly alone", async () => {
    const code = await surfaceOf("code");
    expect(code.prompt.text).toBe("Plan.");
    expect(code.codeTool?.description).toBe(
      `Runs a TypeScript program that calls tools and returns one value.\n\n${programGuidance("code")}\n\n\`\`\`ts\n${code.declarations.trimEnd()}\n\`\`\``,
    );
    const both = await surfaceOf("both");
    expect(both.prompt.text).toBe("Plan.\n\nTools:\n- both: Returns one thing\n- direct_only: Returns {{ another }}");
    expect(both.codeTool?.description).toContain(both.declarations.trimEnd());
  });

  it("P12 P9 in the prompt: then the code tool refers to it, and no tool is described twice", async () => {
    const code = await surfaceOf("code", { declareIn: "prompt" });
    expect(code.prompt.text).toBe(
      `Plan.\n\n${programGuidance("code")}\n\n\`\`\`ts\n${code.declarations.trimEnd()}\n\`\`\``,
    );
    expect(code.codeTool?.description).toBe(
      "Runs a TypeScript program that calls tools and returns one value. How to write it, and what it may call, is in the instructions.",
    );
    const both = await surfaceOf("both", { declareIn: "prompt" });
    expect(both.prompt.text).toBe(
      `Plan.\n\n${programGuidance("both")}\n\n\`\`\`ts\n${both.declarations.trimEnd()}\n\`\`\`\n\nTools:\n- direct_only: Returns {{ another }}`,
    );
    const direct = await surfaceOf("direct", { declareIn: "prompt" });
    expect(direct.prompt.text).toBe("Plan.\n\nTools:\n- both: Returns one thing\n- direct_only: Returns {{ another }}");
    expect(direct.codeTool).toBeUndefined();
  });

  it("P12 P4 in the code tool's description where a section is the whole prompt, and a warning says so", async () => {
    const logged: string[] = [];
    const logger = { warn: (message: string) => void logged.push(message), error: () => undefined };
    const deployment = createDeployment({ declareIn: "prompt", logger });
    addTool(deployment, "get");
    const narrow = deployment.scope("narrow");
    const agent = await narrow.agent("agent", { form: "code", runtime: fixture.runtime });
    const before = agent.surface().codeTool?.description;
    const whole = narrow.section({ name: "all", order: 1, text: "Everything.", complete: true });
    const during = agent.surface();
    expect((await during.prompt).text).toBe("Everything.");
    expect(during.codeTool?.description).toBe(
      `Runs a TypeScript program that calls tools and returns one value.\n\n${programGuidance("code")}\n\n\`\`\`ts\n${during.declarations.trimEnd()}\n\`\`\``,
    );
    const message =
      'the prompt section "all" is the whole prompt, so the declarations, which declareIn puts into the prompt, stand in the code tool\'s description';
    expect(narrow.warnings).toEqual([{ kind: "prompt", message }]);
    expect(logged).toEqual([message]);
    whole[Symbol.dispose]();
    const after = agent.surface();
    expect(after.codeTool?.description).toBe(before);
    expect((await after.prompt).text).toContain(after.declarations.trimEnd());
  });

  it("P12 P9 the named order is that of the declarations, too", async () => {
    const deployment = createDeployment();
    for (const name of ["a", "b", "c"]) addTool(deployment, name);
    deployment.toolOrder(["c", "<unlisted-tools>"]);
    const agent = await deployment.agent("agent", { form: "code", runtime: fixture.runtime });
    const { declarations } = agent.surface();
    const places = ["\nc(", "\na(", "\nb("].map((method) => declarations.indexOf(method));
    expect(places.every((place, index) => place > (places[index - 1] ?? 0))).toBe(true);
    expect(await agent.run("return [await tools.b({}), Object.keys(tools)]")).toMatchObject({
      value: [null, ["a", "b", "c"]],
    });
  });

  it("P12 D4 beyond their budget they name the tools exactly, and say how to list the rest", async () => {
    const { deployment } = deploy({ declarationTokens: 220 });
    const names = Array.from({ length: 20 }, (_, index) => `tool_${index}`);
    for (const name of names) addTool(deployment, name, `Returns ${"a lot of ".repeat(20)}`);
    const agent = await deployment.agent("agent", { form: "code", runtime: fixture.runtime });
    const { declarations } = agent.surface();
    expect(declarations.length).toBeLessThanOrEqual(220 * 4);
    expect(declarations).toContain("Every tool can be called, shown or not: Object.keys(tools) lists their names.");
    const index = /^\/\/ deployment: (.*)$/m.exec(declarations)?.[1]?.split(", ") ?? [];
    expect(index.length).toBeGreaterThan(0);
    expect(names).toEqual(expect.arrayContaining(index));
    const run = await agent.run("return [Object.keys(tools).length, await tools.tool_19({})]");
    expect(run).toMatchObject({ status: "completed", value: [20, null] });
  });

  it.each([
    [{ declareIn: "description" }, 'declareIn must be "codeTool" or "prompt", got "description"'],
    [{ declarationTokens: 0 }, "declarationTokens must be an integer from 1, got 0"],
    [{ declarationTokens: 1.5 }, "declarationTokens must be an integer from 1, got 1.5"],
    [{ declarationTokens: "100" }, 'declarationTokens must be an integer from 1, got "100"'],
  ])("P12 D4 refuses the options %j", (options, message) => {
    expect(() => createDeployment(options as DeploymentOptions)).toThrow(message);
  });
});

it("P12 with 10,000 tools, the text on them is made once, however often the sections change", async () => {
  const { deployment } = deploy();
  for (let index = 0; index < 10_000; index += 1) addTool(deployment, `tool_${index}`);
  const surface = deployment.surface();
  const agent = await deployment.agent("agent");
  const first = agent.surface();
  deployment.section({ name: "plan", order: 10, text: "Plan." });
  const second = agent.surface();
  expect(second.tools).toBe(first.tools);
  expect((await second.prompt).text).toBe(`Plan.\n\n${(await first.prompt).text}`);
  expect(present(surface, { form: "direct", declareIn: "codeTool", declarationTokens: 100 }).direct).toHaveLength(
    10_000,
  );
});
