import { describe, expect, it } from "vitest";
import { Fault } from "../../src/errors.ts";
import type { AnyTool } from "../../src/registry/tool.ts";
import { deploy, listen, names, source, tool } from "./tools.ts";

const messages = (scope: { readonly warnings: readonly { readonly message: string }[] }) =>
  scope.warnings.map(({ message }) => message);
const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe("a source", () => {
  it("M1 G15 registers under its prefix and keeps the original name as identity (A8)", async () => {
    const deployment = deploy();
    await deployment.source(source("drive", [tool("files.update")], "mcp_drive__"));
    const offered = deployment.surface().find("mcp_drive__files.update");
    expect(offered).toMatchObject({
      name: "mcp_drive__files.update",
      alias: "mcp_drive__files_update",
      providerName: "mcp_drive__files_update",
    });
    expect(offered?.tool).toMatchObject({
      source: "drive",
      originalName: "files.update",
      name: "mcp_drive__files.update",
    });
  });

  it("M1 tools of one name from two servers are both reachable (B2)", async () => {
    const deployment = deploy();
    await deployment.source(source("a", [tool("send_email")], "mcp_a__"));
    await deployment.source(source("b", [tool("send_email")], "mcp_b__"));
    expect(names(deployment)).toEqual(["mcp_a__send_email", "mcp_b__send_email"]);
  });

  it("M1 a name that is taken, listed twice or reserved leaves that tool out, never silently (B2)", async () => {
    const logger = listen();
    const deployment = deploy({ logger });
    deployment.tool(tool("send"));
    await deployment.source(
      source("a", [tool("send"), tool("run_program"), tool("x"), tool("x", { description: "Returns y." })]),
    );
    expect(names(deployment)).toEqual(["send", "x"]);
    expect(deployment.surface().find("send")?.tool.source).toBe("deployment");
    expect(deployment.surface().find("x")?.tool.description).toBe("Returns x.");
    expect(messages(deployment)).toEqual([
      'source "a": its tool number 1 is left out: tool "send": the name is taken in scope "deployment" by "deployment"',
      'source "a": its tool number 2 is left out: tool "run_program": that name belongs to the code tool',
      'source "a": its tool number 4 is left out: tool "x": the source lists that name twice',
    ]);
    expect(logger.lines).toEqual(messages(deployment).map((line) => `warn ${line}`));
    expect(() => deployment.tool(tool("x"))).toThrow('scope "deployment" already has a tool "x", from "a"');
  });

  it("M1 a broken tool among good ones harms none (C19 D13)", async () => {
    const deployment = deploy();
    const list = [
      tool("a"),
      { name: "" } as AnyTool,
      tool("b", { inputSchema: "text" as never }),
      null as never,
      tool("c", { inputSchema: { type: 7 } }),
      tool("d"),
      tool("e", { outputSchema: { description: "x" } }),
    ];
    await deployment.source(source("s", list, "p_"));
    expect(names(deployment)).toEqual(["p_a", "p_b", "p_c", "p_d", "p_e"]);
    expect(messages(deployment)).toEqual([
      'source "s": its tool number 2 is left out: tool without a name: name must be 1 to 200 characters long',
      'tool "p_b", inputSchema is no schema; any object is let through',
      'source "s": its tool number 4 is left out: a tool definition must be an object, got null',
      'tool "p_c", inputSchema is broken at #/type, which must be equal to one of the allowed values and is 7; any object is let through',
    ]);
  });

  it("M1 a name that its prefix makes too long leaves that tool out", async () => {
    const deployment = deploy();
    await deployment.source(source("s", [tool("a"), tool("x".repeat(200))], "p_"));
    expect(names(deployment)).toEqual(["p_a"]);
    expect(messages(deployment)[0]).toMatch(
      /^source "s": its tool number 2 is left out: tool "p_x+": name must be 1 to 200 characters long$/,
    );
  });

  it("M1 a list change replaces its tools as a whole and nobody else's", async () => {
    const deployment = deploy();
    const changing = source("s", [tool("a"), tool("b")], "p_");
    deployment.tool(tool("mine"));
    await deployment.source(changing);
    const before = deployment.surface();
    changing.list = async () => [tool("b", { description: "Returns new." }), tool("c")];
    changing.change();
    await settle();
    expect(names(deployment)).toEqual(["mine", "p_b", "p_c"]);
    expect(deployment.surface().find("p_b")?.tool.description).toBe("Returns new.");
    expect(before.tools.map(({ name }) => name)).toEqual(["mine", "p_a", "p_b"]);
    expect(deployment.warnings).toEqual([]);
  });

  it("M1 a list that cannot be had leaves the former one, with a warning", async () => {
    const deployment = deploy();
    const failing = source("s", [tool("a")]);
    await deployment.source(failing);
    failing.list = () => Promise.reject(new Error("gone"));
    failing.change();
    await settle();
    expect(names(deployment)).toEqual(["a"]);
    expect(messages(deployment)).toEqual([
      'source "s" changed its tools and could not list them: gone; the former ones stay',
    ]);
    failing.list = async () => [tool("b")];
    failing.change();
    await settle();
    expect(names(deployment)).toEqual(["b"]);
  });

  it("M1 changes during a listing lead to one more, whose list is the last", async () => {
    const deployment = deploy();
    const busy = source("s", []);
    const waiting: ((tools: readonly AnyTool[]) => void)[] = [];
    busy.list = () => new Promise((resolve) => void waiting.push(resolve));
    const joined = deployment.source(busy);
    busy.change();
    busy.change();
    expect(waiting).toHaveLength(1);
    waiting[0]?.([tool("first")]);
    await settle();
    expect(waiting).toHaveLength(2);
    waiting[1]?.([tool("second")]);
    await joined;
    expect([names(deployment), waiting.length]).toEqual([["second"], 2]);
  });

  it("M1 one that cannot be reached is refused, closed, and its name is free again", async () => {
    const deployment = deploy();
    const failing = source("s", []);
    failing.list = () => Promise.reject(new Error("no such command"));
    await expect(deployment.source(failing)).rejects.toMatchObject({
      code: "source_failed",
      message: 'source "s" gave no tools: no such command',
      details: { source: "s" },
    });
    expect(failing.state).toEqual({ closed: 1, listeners: 0 });
    const own = source("s", []);
    own.list = () => Promise.reject(new Fault("source_failed", "in its own words"));
    await expect(deployment.source(own)).rejects.toThrow("in its own words");
    const odd = source("s", []);
    odd.list = async () => "tools" as never;
    await expect(deployment.source(odd)).rejects.toThrow(
      'source "s" gave no tools: it answered something else than a list of tools',
    );
    await deployment.source(source("s", [tool("a")]));
    expect(names(deployment)).toEqual(["a"]);
  });

  it("M1 the same name twice in one scope is refused, and so are the host's own", async () => {
    const deployment = deploy();
    await deployment.source(source("s", []));
    await expect(deployment.source(source("s", []))).rejects.toMatchObject({
      code: "duplicate_source",
      message: 'scope "deployment" already has a source "s"',
    });
    await expect(deployment.source(source("deployment", []))).rejects.toMatchObject({ code: "reserved_name" });
    await expect(deployment.source(source("", []))).rejects.toMatchObject({ code: "invalid_options" });
    await deployment.scope("a").source(source("s", []));
  });

  it("S6 disposing what joining returned takes its tools away and closes it, once", async () => {
    const deployment = deploy();
    const closing = source("s", [tool("a")]);
    const joined = await deployment.source(closing);
    await joined[Symbol.asyncDispose]();
    await joined[Symbol.asyncDispose]();
    expect([names(deployment), closing.state]).toEqual([[], { closed: 1, listeners: 0 }]);
    closing.change();
    await deployment.source(source("s", [tool("b")]));
    expect(names(deployment)).toEqual(["b"]);
  });

  it("S6 a list that comes after its source was taken away adds nothing", async () => {
    const deployment = deploy();
    const changing = source("s", [tool("a")]);
    const joined = await deployment.source(changing);
    let answer: (tools: readonly AnyTool[]) => void = () => undefined;
    changing.list = () => new Promise((resolve) => (answer = resolve));
    changing.change();
    await joined[Symbol.asyncDispose]();
    answer([tool("late")]);
    await settle();
    expect(names(deployment)).toEqual([]);
  });

  it("S6 disposing the scope closes its sources and those below, and logs what fails", async () => {
    const logger = listen();
    const deployment = deploy({ logger });
    const [outer, inner] = [source("outer", [tool("a")]), source("inner", [tool("b")])];
    await deployment.source(outer);
    await deployment.scope("s").source({ ...inner, [Symbol.asyncDispose]: () => Promise.reject(new Error("stuck")) });
    await deployment[Symbol.asyncDispose]();
    expect(outer.state).toEqual({ closed: 1, listeners: 0 });
    expect(inner.state.listeners).toBe(0);
    expect(logger.lines).toEqual(["error closing a source failed: stuck"]);
  });

  it("S6 a scope disposed while a source joins closes it and keeps nothing", async () => {
    const deployment = deploy();
    const scope = deployment.scope("s");
    const slow = source("slow", []);
    let answer: (tools: readonly AnyTool[]) => void = () => undefined;
    slow.list = () => new Promise((resolve) => (answer = resolve));
    const joining = scope.source(slow);
    await scope[Symbol.asyncDispose]();
    answer([tool("late")]);
    await expect(joining).rejects.toMatchObject({ code: "scope_disposed" });
    expect(slow.state).toEqual({ closed: 1, listeners: 0 });
    expect(names(deployment)).toEqual([]);
  });
});
