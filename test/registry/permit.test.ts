import { describe, expect, it } from "vitest";
import { deploy, listen, names, tool, type TestScope } from "./tools.ts";

function within(...toolNames: readonly string[]): { readonly deployment: TestScope; readonly support: TestScope } {
  const deployment = deploy();
  for (const name of toolNames) deployment.tool(tool(name));
  return { deployment, support: deployment.scope("support") };
}

describe("an allow list", () => {
  it("S2 permits exactly its names, those of the scope's own tools included, here and below", () => {
    const { deployment, support } = within("a", "b", "c");
    support.tool(tool("own"));
    support.tool(tool("other"));
    expect(names(support)).toEqual(["a", "b", "c", "other", "own"]);
    support.permit(["a", "own", "below"]);
    const team = support.scope("team");
    team.tool(tool("below"));
    team.tool(tool("unlisted"));
    expect([deployment, support, team].map(names)).toEqual([
      ["a", "b", "c"],
      ["a", "own"],
      ["a", "below", "own"],
    ]);
  });

  it("S2 nested ones permit what all of them hold, as do several of one scope", () => {
    const { support } = within("a", "b", "c");
    support.permit(["a", "b"]);
    const team = support.scope("team");
    team.permit(["b", "c"]);
    expect(names(team)).toEqual(["b"]);
    support.permit(["a"]);
    expect([names(support), names(team)]).toEqual([["a"], []]);
  });

  it("S2 an empty one permits nothing, and what shadows is permitted by the name that it shadows", () => {
    const { support } = within("a");
    const list = support.permit(["a"]);
    support.tool(tool("a", { description: "Returns narrow." }));
    expect(support.surface().find("a")?.tool.source).toBe("deployment/support");
    list[Symbol.dispose]();
    support.permit([]);
    expect(names(support)).toEqual([]);
  });

  it("S2 brings back nothing that a restriction filters, nor what is switched off", () => {
    const { deployment, support } = within("a", "b");
    deployment.tool(tool("off", { enabled: false }));
    support.restrict({ deny: ["a"] });
    support.permit(["a", "b", "off"]);
    expect([names(support), support.warnings]).toEqual([["b"], []]);
  });

  it("S2 S6 goes when it is disposed, once, and with its scope", () => {
    const { deployment, support } = within("a", "b");
    const list = support.permit(["a"]);
    support.permit(["a"]);
    list[Symbol.dispose]();
    list[Symbol.dispose]();
    expect(names(support)).toEqual(["a"]);
    support[Symbol.dispose]();
    expect(names(deployment)).toEqual(["a", "b"]);
  });

  it("S2 a name without a tool grants nothing and draws a warning in its scope, once", async () => {
    const logger = listen();
    const deployment = deploy({ logger });
    deployment.tool(tool("a"));
    const support = deployment.scope("support");
    support.permit(["a", "a*", "__proto__", 'b"{}\n', "<unlisted-tools>"]);
    support.permit(["a", "a*"]);
    const team = support.scope("team");
    await team.agent("one");
    await team.agent("two");
    const globs = "; names in scope.permit are exact, globs work in scope.restrict alone";
    const messages = [`"a*"`, '"__proto__"', '"b\\"{}\\n"', '"<unlisted-tools>"'].map(
      (name) =>
        `scope "support" permits ${name}: no tool has that name, so it permits nothing${name === '"a*"' ? globs : ""}`,
    );
    expect(support.warnings).toEqual(messages.map((message) => ({ kind: "permission", message })));
    expect(logger.lines).toEqual(messages.map((message) => `warn ${message}`));
    expect([names(team), team.warnings]).toEqual([["a"], []]);
  });

  it("S7 does not touch the code tool, and says so where it is named", async () => {
    const { support } = within("a");
    support.permit(["a", "run_program"]);
    const agent = await support.agent("x", { form: "code", runtime: { kind: "runtime" } });
    expect([agent.codeTool, names(support)]).toEqual(["run_program", ["a"]]);
    expect(support.warnings.map(({ message }) => message)).toEqual([
      'scope "support" permits "run_program": the code tool needs no permission',
    ]);
  });

  it("S8 a tool that is not permitted is found by no name and near none", () => {
    const { support } = within("send_email", "get");
    support.permit(["get"]);
    const surface = support.surface();
    expect([surface.find("send_email"), surface.byProviderName("send_email"), surface.nearest("send_emails")]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it.each<[string, unknown]>([
    ['scope.permit takes an array of names, got "a"', "a"],
    ["scope.permit takes an array of names, got undefined", undefined],
    ["a name of scope.permit must be text that is not empty, got 5", ["a", 5]],
    ['a name of scope.permit must be text that is not empty, got ""', [""]],
  ])("S2 what is no allow list is told: %s", (message, given) => {
    const { support } = within("a");
    expect(() => support.permit(given as never)).toThrow(
      expect.objectContaining({ code: "invalid_options", message }) as Error,
    );
    expect(names(support)).toEqual(["a"]);
  });
});
