import { describe, expect, it } from "vitest";
import { deploy, listen, names, source, tool, type TestScope } from "./tools.ts";

/** A deployment with these tools, and a scope in it. */
function within(...toolNames: readonly string[]): { readonly deployment: TestScope; readonly support: TestScope } {
  const deployment = deploy();
  for (const name of toolNames) deployment.tool(tool(name));
  return { deployment, support: deployment.scope("support") };
}

describe("a restriction", () => {
  it("S4 filters what is registered above its scope, for that scope and all below, by name and by glob", () => {
    const { deployment, support } = within("github_get", "github_delete", "slack_send", "jira_get");
    support.restrict({ allow: ["github_*", "slack_send"], deny: ["*delete*"] });
    const team = support.scope("team");
    const sibling = deployment.scope("sibling");
    expect([support, team].map(names)).toEqual([
      ["github_get", "slack_send"],
      ["github_get", "slack_send"],
    ]);
    expect([deployment, sibling].map(names)).toEqual([
      ["github_delete", "github_get", "jira_get", "slack_send"],
      ["github_delete", "github_get", "jira_get", "slack_send"],
    ]);
  });

  it("S4 intersects with all others in force, in one scope and over nested ones", () => {
    const { support } = within("a1", "a2", "b1", "b2");
    support.restrict({ allow: ["a*", "b1"] });
    support.restrict({ deny: ["a2"] });
    const team = support.scope("team");
    team.restrict({ allow: ["a2", "a1", "b2"] });
    expect([names(support), names(team)]).toEqual([["a1", "b1"], ["a1"]]);
  });

  it.each<[string, Parameters<TestScope["restrict"]>[0], readonly string[]]>([
    ["no allow means all", { deny: ["a"] }, ["A", "b"]],
    ["an empty allow means none", { allow: [] }, []],
    ["an empty deny takes nothing", { deny: [] }, ["A", "a", "b"]],
    ["nothing restricts nothing", {}, ["A", "a", "b"]],
    ["deny wins", { allow: ["a", "b"], deny: ["a"] }, ["b"]],
    ["case counts, in names and in globs", { allow: ["A", "B*"] }, ["A"]],
  ])("S4 %s", (_what, restriction, expected) => {
    const { support } = within("a", "A", "b");
    support.restrict(restriction);
    expect(names(support)).toEqual(expected);
  });

  it("S4 goes by the registered name, prefix and all, and holds for tools that come later", async () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    support.restrict({ allow: ["mcp_github__*"] });
    await deployment.source(source("github", [tool("get_issue")], "mcp_github__"));
    deployment.tool(tool("get_issue"));
    expect(names(support)).toEqual(["mcp_github__get_issue"]);
  });

  it("S5 leaves what its own scope or one below registered, shadowing a filtered tool too", () => {
    const { deployment, support } = within("send", "get");
    support.restrict({ allow: [] });
    support.tool(tool("send", { description: "Returns narrow." }));
    const team = support.scope("team");
    team.tool(tool("get"));
    expect([names(support), names(team), names(deployment)]).toEqual([["send"], ["get", "send"], ["get", "send"]]);
    expect(support.surface().find("send")?.tool.source).toBe("deployment/support");
  });

  it("S5 of a scope below filters what the one above registered under its own", () => {
    const { support } = within("a");
    support.restrict({ deny: ["b"] });
    support.tool(tool("b"));
    const team = support.scope("team");
    team.restrict({ deny: ["b"] });
    expect([names(support), names(team)]).toEqual([["a", "b"], ["a"]]);
  });

  it("S6 lifts with its scope and with nothing else", () => {
    const { deployment, support } = within("a", "b");
    const team = support.scope("team");
    expect(support.restrict({ deny: ["a"] })).toBeUndefined();
    team.restrict({ deny: ["b"] });
    expect(names(team)).toEqual([]);
    team[Symbol.dispose]();
    expect(names(support)).toEqual(["b"]);
    support[Symbol.dispose]();
    expect([names(deployment), names(deployment.scope("support"))]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("S6 is as it was when it was given, whatever becomes of its arrays", () => {
    const { support } = within("a", "b");
    const allow = ["a"];
    support.restrict({ allow });
    allow.push("b");
    expect(names(support)).toEqual(["a"]);
  });

  it("S3 S4 odd names are names as any other", () => {
    const odd = ["__proto__", "constructor", 'a "quoted" one', "{{braces}}", "toString", "日本", "a.b/c"];
    for (const name of odd) {
      const { deployment, support } = within(...odd);
      expect(() => deployment.tool(tool(name))).toThrow(
        expect.objectContaining({
          code: "duplicate_tool",
          message: `scope "deployment" already has a tool "${name}", from "deployment"`,
        }) as Error,
      );
      support.restrict({ deny: [name] });
      const team = deployment.scope("team");
      team.restrict({ allow: [name] });
      expect([names(support), names(team)]).toEqual([odd.filter((one) => one !== name).toSorted(), [name]]);
      expect([support.warnings, team.warnings]).toEqual([[], []]);
    }
  });

  it("S8 a filtered tool is found by no name and near none", () => {
    const { support } = within("send_email", "get");
    support.restrict({ deny: ["send_email"] });
    const surface = support.surface();
    expect([surface.find("send_email"), surface.byProviderName("send_email"), surface.nearest("send_emails")]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it.each<[string, () => unknown]>([
    [
      'allow of scope.restrict names the code tool "run_program", which no restriction reaches',
      () => within("a").support.restrict({ allow: ["a", "run_program"] }),
    ],
    [
      'deny of scope.restrict names the code tool "code", which no restriction reaches',
      () => deploy({ codeTool: "code" }).restrict({ deny: ["code"] }),
    ],
  ])("S7 %s", (message, misuse) => {
    expect(misuse).toThrow(expect.objectContaining({ code: "reserved_name", message }) as Error);
  });

  it("S7 a glob does not match the code tool, so it draws the warning of one that matches nothing", async () => {
    const deployment = deploy();
    deployment.restrict({ deny: ["run_program*"] });
    const agent = await deployment.agent("a", { form: "code", runtime: { kind: "runtime" } });
    expect(agent.codeTool).toBe("run_program");
    expect(deployment.warnings.map(({ message }) => message)).toEqual([
      'scope "deployment" restricts tools by deny "run_program*", which matches no tool registered above it',
    ]);
  });

  it.each<[string, unknown]>([
    ["scope.restrict must be an object of options, got null", null],
    ["scope.restrict must be an object of options, got undefined", undefined],
    ["scope.restrict must be an object of options, got an array", ["a"]],
    ['scope.restrict has no option "only"; there are allow, deny', { only: ["a"] }],
    ['option allow of scope.restrict must be an array of texts, got "a"', { allow: "a" }],
    ["option deny of scope.restrict must be an array of texts, got an array", { deny: [/a/] }],
    ['deny of scope.restrict must hold names, got ""', { deny: ["a", ""] }],
  ])("S4 what is no restriction is told: %s", (message, given) => {
    const { support } = within("a");
    expect(() => support.restrict(given as never)).toThrow(
      expect.objectContaining({ code: "invalid_options", message }) as Error,
    );
    expect(names(support)).toEqual(["a"]);
  });
});

describe("a mask that matches nothing", () => {
  it("S4 draws a warning an entry, in the scope whose mask it is, once, when an agent starts", async () => {
    const logger = listen();
    const deployment = deploy({ logger });
    deployment.tool(tool("github_get"));
    const support = deployment.scope("support");
    support.tool(tool("own"));
    support.restrict({ allow: ["gitub_*", "github_get", "Github_get", "own"], deny: ['x"{{y}}\n'] });
    const team = support.scope("team");
    expect(logger.lines).toEqual([]);
    await team.agent("a");
    await team.agent("b");
    await support.agent("c");
    const messages = ['allow "gitub_*"', 'allow "Github_get"', 'allow "own"', 'deny "x\\"{{y}}\\n"'].map(
      (entry) => `scope "support" restricts tools by ${entry}, which matches no tool registered above it`,
    );
    expect(support.warnings).toEqual(messages.map((message) => ({ kind: "restriction", message })));
    expect(logger.lines).toEqual(messages.map((message) => `warn ${message}`));
    expect([deployment.warnings, team.warnings]).toEqual([[], []]);
    expect(team.surface().warnings).toEqual(support.warnings);
  });

  it("S4 is no matter where the tool it names is shadowed, switched off or filtered by another mask", () => {
    const deployment = deploy();
    deployment.tool(tool("off", { enabled: false }));
    deployment.tool(tool("both"));
    const support = deployment.scope("support");
    support.restrict({ deny: ["both"] });
    support.restrict({ deny: ["both", "off"] });
    support.tool(tool("both"));
    const team = support.scope("team");
    team.restrict({ deny: ["both"] });
    expect([names(team), support.warnings, team.warnings]).toEqual([[], [], []]);
  });
});
