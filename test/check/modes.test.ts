import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { messageOf } from "../../src/errors.ts";
import { createDeployment, createRuntime, Fault } from "../../src/index.ts";
import { useRuntime } from "../agent/fixture.ts";
import { listen } from "../registry/tools.ts";
import { tracker } from "./tracker.ts";

const fixture = useRuntime();

it("X11 a refusal says what, where and how to call the tool, and is what the model reads", async () => {
  const code = [
    "Here it is:",
    "```ts",
    'const owner = "a";',
    "const issue = await tools.get_issue({",
    "  owner,",
    '  repo: "b",',
    "  issueNumber: 7,",
    "});",
    "return issue.title;",
    "```",
  ].join("\n");
  const run = await fixture.run(code, tracker);
  expect(run).toMatchObject({
    status: "failed",
    calls: [],
    error: {
      code: "type_error",
      message: 'tools.get_issue has no argument "issueNumber"; did you mean "issue_number"?',
      hint: 'A call that works: await tools.get_issue({ owner: "...", repo: "...", issue_number: 1 })',
      line: 7,
      column: 3,
    },
  });
  expect(run.toModel()).toBe(
    [
      'Failed: tools.get_issue has no argument "issueNumber"; did you mean "issue_number"? [type_error]',
      "  5 |   owner,",
      '  6 |   repo: "b",',
      "> 7 |   issueNumber: 7,",
      "    |   ^",
      "  8 | });",
      "  9 | return issue.title;",
      'Hint: A call that works: await tools.get_issue({ owner: "...", repo: "...", issue_number: 1 })',
    ].join("\n"),
  );
});

it("X11 of several faults the causes of others come first, and five are told", async () => {
  const code = [
    "const page = await tools.fetch_page({ url: 1 });",
    "const issue = tools.get_issue({});",
    "console.log(issue.title);",
    "await tools.serch({});",
    "await tools.ping(1);",
    "await tools.add_comment({ issue_number: 1, boddy: page });",
    "await tools.search();",
  ].join("\n");
  const run = await fixture.run(code, tracker);
  expect(run.status === "failed" ? [run.error.line, run.error.column, run.error.message.split("\n")] : run).toEqual([
    4,
    13,
    [
      'there is no tool "serch"; did you mean tools.search?',
      "Also at line 3: tools.get_issue(...) gives a promise, which is used as if it were its value (.title): await it first",
      "Also at line 7: tools.search takes one object with its arguments, got none",
      'Also at line 6: tools.add_comment has no argument "boddy"; did you mean "body"?',
      'Also at line 2: tools.get_issue needs "owner", "repo", "issue_number"',
      "And 2 more.",
    ],
  ]);
});

it("X11 warn runs the program and says the same as warnings; off says nothing", async () => {
  const agent = await fixture.agent(tracker);
  const code =
    'const found = await tools.search({ query: "x" });\nreturn found.totalCount ?? (await tools.ping()).size;';
  const texts = ["warn", "off"] as const;
  const [warned, unchecked] = await Promise.all(texts.map((check) => agent.run(code, { check })));
  expect([warned?.status, warned?.warnings]).toEqual([
    "completed",
    ['type check, line 2, column 49: await tools.ping() has no field "size"; it is a string'],
  ]);
  expect([unchecked?.status, unchecked?.warnings]).toEqual(["completed", []]);
});

it("X11 the call that works shows the argument that was wrong, as it should be", async () => {
  const hintOf = async (code: string): Promise<unknown> => {
    const run = await fixture.run(code, tracker);
    return run.status === "failed" ? run.error.hint : run;
  };
  const programs = [
    'await tools.list_issues({ owner: "a", repo: "b", state: "opened" })',
    'await tools.list_issues({ owner: "a", repo: "b", perPage: 5 })',
    'await tools.list_issues({ owner: "a", repo: "b", labels: ["bug", 5] })',
    'await tools.list_issues({ owner: "a", repo: "b", filter: { since: "x", auther: "y" } })',
  ];
  expect(await Promise.all(programs.map(hintOf))).toEqual([
    'A call that works: await tools.list_issues({ owner: "...", repo: "...", state: "open" })',
    'A call that works: await tools.list_issues({ owner: "...", repo: "...", per_page: 1 })',
    'A call that works: await tools.list_issues({ owner: "...", repo: "...", labels: ["..."] })',
    'A call that works: await tools.list_issues({ owner: "...", repo: "...", filter: { since: "...", author: "..." } })',
  ]);
});

it("X11 a dispatched program is checked as the call says", async () => {
  const agent = await fixture.agent(tracker);
  await using session = await agent.session("checked");
  using turn = session.turn();
  const contents = [];
  for (const check of ["refuse", "off"] as const) {
    const uses = [{ id: check, name: "run_program", input: { code: "return await tools.pong()" } }];
    const { results } = await turn.dispatch(uses, { check });
    contents.push(results[0]?.content.split("\n")[0]);
  }
  expect(contents).toEqual([
    'Failed: there is no tool "pong"; did you mean tools.ping? [type_error]',
    'Failed: ToolError: no tool "pong" is offered here [program_error]',
  ]);
});

it("X11 what is no mode is refused, naming the option", async () => {
  const agent = await fixture.agent(tracker);
  const faults = await Promise.allSettled([
    createRuntime({ check: "strict" as "refuse" }),
    agent.run("return 1", { check: "none" as "off" }),
  ]);
  expect(faults.map((fault) => (fault.status === "rejected" ? messageOf(fault.reason) : fault))).toEqual([
    'option check of createRuntime must be one of "off", "warn", "refuse", got "strict"',
    'option check must be one of "off", "warn", "refuse", got "none"',
  ]);
});

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The type checker, where every package is but TypeScript. */
function checkerWithoutTypescript(folder: string): string {
  const packages = join(folder, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "typescript7") symlinkSync(join(root, "node_modules", name), join(packages, name));
  }
  const path = join(folder, "typecheck.js");
  copyFileSync(join(root, "dist/typecheck.js"), path);
  return path;
}

it("X11 without TypeScript programs run unchecked, which the host is told once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "codecall-without-typescript-"));
  try {
    const typecheckPath = checkerWithoutTypescript(folder);
    await using runtime = await createRuntime({ typecheckPath, processes: { warm: 1 } });
    const logger = listen();
    using deployment = createDeployment({ logger });
    for (const tool of tracker) deployment.tool(tool);
    const agent = await deployment.agent("unchecked", { form: "code", runtime });
    for (let times = 0; times < 2; times += 1) {
      const run = await agent.run("return (await tools.ping()).size ?? 1");
      expect([run.status, run.warnings]).toEqual(["completed", []]);
    }
    expect(logger.lines.map((line) => line.replaceAll(folder, ""))).toEqual([
      "warn programs run without a type check: the type checker process could not be started: " +
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'typescript7' imported from /typecheck.js",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("X19 a closed runtime checks nothing more", async () => {
  const runtime = await createRuntime({ processes: { warm: 0 } });
  using deployment = createDeployment();
  const agent = await deployment.agent("closed", { form: "code", runtime });
  const running = agent.run("return 1");
  await runtime.close();
  const run = await running;
  expect(run.status).toBe("cancelled");
  await expect(agent.run("return 1")).rejects.toBeInstanceOf(Fault);
});
