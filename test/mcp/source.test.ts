import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Fault } from "../../src/errors.ts";
import { createDeployment } from "../../src/index.ts";
import { mcp } from "../../src/mcp/index.ts";
import type { ToolContext } from "../../src/registry/tool.ts";
import { fixture, lives, open, sourceOf } from "./fixtures/run.ts";
import { running } from "./fixtures/processes.ts";

const unique = (): string => join(mkdtempSync(join(tmpdir(), "codecall-mcp-")), "starts");

describe("listing", () => {
  it("M1 all pages are read", async () => {
    await using paged = await open("paged");
    expect(paged.tools.map((tool) => tool.name)).toEqual(
      Array.from({ length: 101 }, (_, index) => `tool_${index + 1}`),
    );
  });

  it("M1 a list whose pages never end is refused and the server ended", async () => {
    await using source = sourceOf("paged", ["101", "loop"]);
    await expect(source.tools()).rejects.toMatchObject({
      code: "source_failed",
      message: `MCP server "fixture" (${process.execPath} ${fixture("paged")} 101 loop): it gives the same page of its list again and again`,
    });
  });

  it("M1 tools join under a settable prefix with their own names kept", async () => {
    await using good = await open("good");
    expect(good.source.prefix).toBe("mcp_fixture__");
    expect(good.tools.map((tool) => tool.name)).toContain("drive.files.update");
    await using other = sourceOf("good", [], { prefix: "fx_" });
    expect(other.prefix).toBe("fx_");
  });

  it("M1 a broken entry harms no other", async () => {
    await using broken = await open("broken");
    expect(broken.tools.map((tool) => [tool.name, tool.inputSchema, tool.outputSchema])).toEqual([
      ["first", { type: "object" }, undefined],
      ["schema_7", { type: 7 }, undefined],
      ["schema_null", null, undefined],
      ["", { type: "object" }, undefined],
      ["", undefined, undefined],
      ["output", { type: "object" }, { description: "x" }],
      ["last", { type: "object" }, undefined],
    ]);
    expect(await broken.call("schema_null")).toBe("word");
  });

  it("M1 M2 output schemas are kept, and unwrapped where the server marks its wrapper", async () => {
    await using good = await open("good");
    const schemas = Object.fromEntries(good.tools.map((tool) => [tool.name, tool.outputSchema]));
    expect(schemas.structured).toEqual({
      type: "object",
      properties: { n: { type: "number" } },
      required: ["n"],
      additionalProperties: false,
    });
    expect(schemas.wrapped).toEqual({ type: "string" });
    expect(schemas.list_text).toBeUndefined();
  });

  it("M1 a changed list calls the listeners, and is listed anew", async () => {
    await using good = await open("good");
    const changed = Promise.withResolvers<void>();
    const listening = good.source.onChange?.(() => changed.resolve());
    expect(await good.call("grow")).toBe("1");
    await changed.promise;
    const names = (await good.source.tools()).map((tool) => tool.name);
    expect(names.at(-1)).toBe("grown_1");
    expect(names.length).toBe(good.tools.length + 1);
    listening?.[Symbol.dispose]();
  });
});

describe("trust", () => {
  const hints = async (options: Parameters<typeof open>[2]): Promise<unknown> => {
    await using good = await open("good", [], options);
    const names = ["read_only", "send_mail", "delete_row", "structured"];
    return names.map((name) => {
      const tool = good.tools.find((each) => each.name === name);
      return [tool?.effects, tool?.parallelSafe, tool?.idempotent];
    });
  };

  it("M1 annotations count for nothing unless the host trusts the server", async () => {
    expect(await hints({})).toEqual([
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it("M1 annotations of a trusted server map to effects and to calls that may overlap", async () => {
    expect(await hints({ trusted: true })).toEqual([
      [["read"], true, undefined],
      [["write", "external"], undefined, undefined],
      [["write"], undefined, true],
      [undefined, undefined, undefined],
    ]);
  });

  it("M1 the host's overrides win over annotations, a later one over an earlier", async () => {
    const overrides = {
      "*": { effects: ["read"], parallelSafe: true },
      "send_*": { parallelSafe: false },
      structured: { effects: [] },
    } as const;
    expect(await hints({ trusted: true, overrides })).toEqual([
      [["read"], true, undefined],
      [["read"], false, undefined],
      [["read"], true, true],
      [[], true, undefined],
    ]);
  });
});

describe("calls", () => {
  it("M2 values cross as documented", async () => {
    await using good = await open("good");
    expect(await good.call("structured")).toEqual({ n: 1 });
    expect(await good.call("list_text")).toEqual([1, 2]);
    expect(await good.call("object_text")).toEqual({ n: 1 });
    expect(await good.call("scalar_text")).toBe("42");
    expect(await good.call("declared_text")).toBe('{"n":1}');
    expect(await good.call("wrapped")).toBe("a\nb");
    expect(await good.call("unmarked")).toEqual({ result: 1 });
    expect(await good.call("nothing")).toBeNull();
    expect(await good.call("picture")).toMatchObject({ type: "image/png", bytes: 20 });
    expect(JSON.stringify([await good.call("picture_twice"), await good.call("mixed")])).not.toContain("bm90IHJlYWxse");
  });

  it("M1 the call on the wire carries the server's own name and the arguments as they are", async () => {
    await using good = await open("good");
    expect(await good.call("drive.files.update", { id: "x", tags: ["a"] })).toEqual({
      name: "drive.files.update",
      arguments: { id: "x", tags: ["a"] },
    });
  });

  it("M2 an error result and a protocol error are tool errors", async () => {
    await using good = await open("good");
    await expect(good.call("failing")).rejects.toMatchObject({
      name: "ToolError",
      code: "tool_error",
      message: '{"error":"no such row","row":7}',
      details: { error: "no such row", row: 7 },
    });
    await expect(good.call("refused")).rejects.toMatchObject({
      name: "ToolError",
      message: 'the MCP server "fixture" refused the call: there is no refused here',
      details: { mcp: { code: -32602 } },
    });
  });

  it("M2 progress passes through in order", async () => {
    await using good = await open("good");
    const seen: unknown[] = [];
    const progress: ToolContext["progress"] = (update) => void seen.push(update);
    expect(await good.call("progress", {}, { progress })).toBe("done");
    expect(seen).toEqual([{ done: 1, total: 2, message: "half" }, { done: 2 }]);
  });

  it("M2 the signal ends a call and reaches the server as a cancellation", async () => {
    await using good = await open("good");
    const controller = new AbortController();
    const reason = new Error("enough");
    const started = Promise.withResolvers<void>();
    const waiting = good.call("wait", {}, { signal: controller.signal });
    void good.call("scalar_text").then(() => started.resolve());
    await started.promise;
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await good.call("cancelled")).toHaveLength(1);
  });

  it("M1 a server sees no variable of the host but the usual ones and those given", async () => {
    process.env.CODECALL_SECRET_FOR_TEST = "x";
    await using source = mcp("fixture", { command: process.execPath, args: [fixture("good")], env: { GIVEN: "1" } });
    const tool = (await source.tools()).find((each) => each.name === "environment");
    const execute = tool?.execute as ((args: unknown, context: unknown) => Promise<string[]>) | undefined;
    const names = await execute?.({}, { signal: new AbortController().signal });
    expect(names).toContain("GIVEN");
    expect(names).toContain("PATH");
    expect(names).not.toContain("CODECALL_SECRET_FOR_TEST");
    delete process.env.CODECALL_SECRET_FOR_TEST;
  });
});

describe("servers that fail", () => {
  const failure = async (source: AsyncDisposable & { tools(): Promise<unknown> }): Promise<Fault> => {
    try {
      await source.tools();
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    } finally {
      await source[Symbol.asyncDispose]();
    }
    throw new Error("it did not fail");
  };

  it("M1 a command that is not there is named, with what to do", async () => {
    const error = await failure(mcp("gone", { command: "no-such-command-here", args: ["--stdio"] }));
    expect(error).toMatchObject({
      code: "source_failed",
      message: 'MCP server "gone" (no-such-command-here --stdio): the command "no-such-command-here" was not found',
      hint: "run the command by hand to see what it says, and correct it",
      details: { source: "gone" },
    });
  });

  it("M1 a working folder that is not there is named", async () => {
    const error = await failure(mcp("lost", { command: process.execPath, cwd: "/no/such/folder" }));
    expect(error.message).toContain('its working folder "/no/such/folder" does not exist');
  });

  it("M1 arguments that no process can be started with are told, naming the server", async () => {
    const error = await failure(mcp("odd", { command: process.execPath, args: ["a\0b"] }));
    expect(error).toMatchObject({ code: "source_failed", details: { source: "odd" } });
    expect(error.message).toMatch(/^MCP server "odd" \(.*must be a string without null bytes/s);
  });

  it("M1 a host without a descriptor to spare is told, naming the server, and can start it later", async () => {
    const starved = execFileSync(
      "/bin/sh",
      ["-c", 'ulimit -n 64; exec "$0" "$1"', process.execPath, fixture("starved-host")],
      {
        encoding: "utf8",
      },
    );
    expect(JSON.parse(starved)).toEqual({
      code: "source_failed",
      message: expect.stringMatching(/^MCP server "good" \(.*\): spawn .* EMFILE$/) as string,
      later: true,
    });
  });

  it("M1 a server that exits at once is named with its exit code and its last words", async () => {
    const error = await failure(sourceOf("exits"));
    expect(error.message).toBe(
      `MCP server "fixture" (${process.execPath} ${fixture("exits")}): it exited with code 1; its stderr ends with:\nno configuration found`,
    );
  });

  it("M1 a server that never answers is given up after its time", async () => {
    const error = await failure(sourceOf("silent", [], { timeoutMs: 300 }));
    expect(error.message).toContain("no answer within 300 ms; its stderr ends with:\nwaiting for a licence");
    const listing = await failure(sourceOf("silent", ["list"], { timeoutMs: 2_000 }));
    expect(listing.message).toContain("listing its tools: no answer within 2000 ms");
    expect(running(fixture("silent"))).toEqual([]);
  });

  it("M1 rubbish between the messages is skipped", async () => {
    await using rubbish = await open("rubbish");
    expect(await rubbish.call("fine")).toBe("fine");
  });

  it("M1 a server that prints nothing but rubbish is ended", async () => {
    const error = await failure(sourceOf("rubbish", ["only"]));
    expect(error.message).toContain(
      'it floods its stdout with what is no JSON-RPC message, such as "rubbish, nothing but rubbish"',
    );
    expect(running(`${fixture("rubbish")}\0only`)).toEqual([]);
  });

  it.each([
    ["lines", "it floods its stdout with what is no JSON-RPC message"],
    ["one_line", "it sent a line of more than 33554432 characters"],
    ["notifications", "it sent more than 10000 messages that nobody asked for, faster than 1000 a second"],
  ])(
    "M1 a server that floods with %s during a call is ended, the call lost, and the next call starts it again",
    async (tool, what) => {
      await using rubbish = await open("rubbish");
      expect(await rubbish.call(tool)).toMatchObject({
        status: "error",
        error: {
          code: "source_disconnected",
          message: 'the MCP server "fixture" went away during the call, so what became of the call is not known',
        },
      });
      expect(rubbish.log.join("\n")).toContain(what);
      expect(await rubbish.call("fine")).toBe("fine");
    },
  );

  it("M1 a server that dies mid-call: the call is lost with its effect left open, the host's log has its last words, and no program sees them", async () => {
    await using dying = await open("dying", [unique()]);
    const outcome = await dying.call("die");
    expect(outcome).toMatchObject({ status: "error", error: { code: "source_disconnected" } });
    expect(JSON.stringify(outcome)).not.toContain("12345");
    expect(dying.log).toHaveLength(1);
    expect(dying.log[0]).toContain(
      'lost during a call of "die": it exited with code 3; its stderr ends with:\nout of memory, secret token 12345',
    );
  });

  it("M1 every call in flight is settled when the server dies, and calls after it share one restart", async () => {
    await using dying = await open("dying", [unique()]);
    const changed = Promise.withResolvers<void>();
    dying.source.onChange?.(() => changed.resolve());
    const outcomes = await Promise.all([dying.call("die"), dying.call("die")]);
    expect(outcomes.map((each) => (each as { error: { code: string } }).error.code)).toEqual([
      "source_disconnected",
      "source_disconnected",
    ]);
    expect(await Promise.all([dying.call("starts"), dying.call("starts"), dying.call("starts")])).toEqual([
      "2",
      "2",
      "2",
    ]);
    await changed.promise;
    expect((await dying.source.tools()).map((tool) => tool.name)).toContain("after_restart");
  });

  it("M1 a server that cannot be started again: the call has no effect and says what to do", async () => {
    await using dying = await open("dying", [unique(), "once"]);
    await dying.call("die");
    expect(await dying.call("starts")).toMatchObject({
      status: "error",
      effect: "none",
      error: {
        code: "source_disconnected",
        message: 'the MCP server "fixture" is not running and could not be started again',
        hint: "the next call tries to start it again; if that fails too, go on without its tools and say so",
      },
    });
    expect(dying.log.at(-1)).toContain("it exited with code 4; its stderr ends with:\nthe disk is full");
  });
});

describe("processes", () => {
  it("M1 X19 closing a source ends the whole tree of the server's processes, politely or not", async () => {
    const launched = await open("launcher");
    const pids = (await launched.call("pids")) as number[];
    expect(pids.map(lives)).toEqual([true, true]);
    await launched[Symbol.asyncDispose]();
    expect(pids.map(lives)).toEqual([false, false]);
    await launched[Symbol.asyncDispose]();
    expect(await launched.call("pids")).toMatchObject({ effect: "none", error: { code: "source_disconnected" } });
    await expect(launched.source.tools()).rejects.toThrow('MCP server "fixture" is closed');
  });

  it("M1 X19 closing a source while its server is starting gives the start up", async () => {
    const source = sourceOf("silent");
    const listing = source.tools();
    const caught = listing.catch((error: unknown) => error);
    await source[Symbol.asyncDispose]();
    expect(await caught).toMatchObject({ code: "source_failed" });
    expect(running(fixture("silent"))).toEqual([]);
  });

  it.skipIf(process.platform !== "linux")("M1 X18 a server dies with a host that is killed", async () => {
    const { spawn } = await import("node:child_process");
    const host = spawn(process.execPath, [fixture("host")], { stdio: ["ignore", "pipe", "inherit"] });
    const [chunk] = (await once(host.stdout, "data")) as [Buffer];
    const pids = JSON.parse(chunk.toString()) as number[];
    expect(pids.map(lives)).toEqual([true]);
    host.kill("SIGKILL");
    await once(host, "exit");
    await expect.poll(() => pids.map(lives), { timeout: 10_000 }).toEqual([false]);
  });
});

it("M1 X19 a host lives until the server that it closes is gone", async () => {
  const { spawn } = await import("node:child_process");
  const host = spawn(process.execPath, [fixture("closing-host")], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void host.kill("SIGKILL"));
  let said = "";
  host.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  expect(await once(host, "close")).toEqual([0, null]);
  expect(said).toBe("closed");
});

it.each(["dispose", "exit"])(
  "M1 X19 a host that closes its runtime and forgets its deployment ends, and the server with it (%s)",
  async (end) => {
    const { spawn } = await import("node:child_process");
    const mark = crypto.randomUUID();
    const host = spawn(process.execPath, [fixture("forgetful-host"), mark, end], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void host.kill("SIGKILL"));
    let said = "";
    host.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    expect(await once(host, "close")).toEqual([0, null]);
    expect(JSON.parse(said)).toEqual([42, 1, "1"]);
    await expect.poll(() => running(mark), { timeout: 10_000 }).toEqual([]);
  },
);

it.each([
  [{ command: "" }, 'MCP server "x": "command" is empty'],
  [{}, 'MCP server "x" needs either a "command" to start or a "url" to reach'],
  [{ command: "a", url: "http://127.0.0.1" }, 'MCP server "x" needs either a "command" to start or a "url" to reach'],
  [{ url: "ftp://127.0.0.1" }, 'MCP server "x": "ftp://127.0.0.1" is no http or https address'],
  [{ url: "nonsense" }, 'MCP server "x": "nonsense" is no http or https address'],
  [undefined, 'MCP server "x" needs a target, got undefined'],
  [
    { command: "a", arg: [] },
    'MCP server "x" has no option "arg"; there are command, args, env, cwd, prefix, trusted, untrusted, keywords, overrides, timeoutMs',
  ],
  [
    { url: "http://127.0.0.1", args: [] },
    'MCP server "x" has no option "args"; there are url, headers, prefix, trusted, untrusted, keywords, overrides, timeoutMs',
  ],
  [{ command: "a", args: [1] }, 'option args of MCP server "x" must be an array of texts, got an array'],
  [{ command: "a", env: { A: 1 } }, 'option env of MCP server "x" must be an object of texts, got an object'],
  [{ command: "a", trusted: "yes" }, 'option trusted of MCP server "x" must be true or false, got "yes"'],
  [
    { command: "a", overrides: { "*": { effect: [] } } },
    'override "*" of MCP server "x" has no option "effect"; there are effects, parallelSafe',
  ],
  [{ command: "a", timeoutMs: 0 }, 'option timeoutMs of MCP server "x" must be an integer from 1 to 86400000, got 0'],
])("M1 the target %j is refused", (target, message) => {
  expect(() => mcp("x", target as { command: string })).toThrow(
    expect.objectContaining({ code: "invalid_options", message }) as Error,
  );
});

it("M1 a server without a name is refused, and an option that is undefined counts as absent", () => {
  expect(() => mcp("", { command: "a" })).toThrow('the name of an MCP server must be text that is not empty, got ""');
  const absent = { command: undefined, args: undefined, headers: undefined, prefix: undefined };
  expect(mcp("x", { ...absent, url: "http://127.0.0.1" }).prefix).toBe("mcp_x__");
});

describe("answers that are none", () => {
  it.each([
    { result: null },
    { result: 5 },
    { result: [] },
    { result: { _meta: 1 } },
    { error: null },
    { error: { code: "no", message: "text as code" } },
    {},
  ])("M1 C5 a call answered with %j ends at once, its effect left open", async (answer) => {
    await using illformed = await open("illformed");
    expect(await illformed.call("answer", { answer })).toEqual(
      expect.objectContaining({
        status: "error",
        error: {
          code: "source_answer_invalid",
          message:
            'the MCP server "fixture" failed the call: the server answered with what is no result, so what became of the call is not known',
        },
      }),
    );
    expect(illformed.log).toEqual([
      `MCP server "fixture" (${process.execPath} ${fixture("illformed")}): no answer to a call of "answer": the server answered with what is no result`,
    ]);
    const text = { result: { content: [{ type: "text", text: "still here" }] } };
    expect(await illformed.call("answer", { answer: text })).toBe("still here");
  });

  it.each([{}, { content: "zz" }, { content: {} }, { isError: "yes" }])(
    "M2 C5 a result of %j holds nothing, and is no success",
    async (result) => {
      await using illformed = await open("illformed");
      expect(await illformed.call("answer", { answer: { result } })).toMatchObject({
        status: "error",
        error: { code: "source_answer_invalid" },
      });
    },
  );

  it("M2 a flood of progress before the answer costs only progress", async () => {
    await using illformed = await open("illformed");
    let updates = 0;
    const answer = { result: { content: [{ type: "text", text: "done" }] } };
    const progress = (): void => void (updates += 1);
    expect(await illformed.call("answer", { answer, progress: 30_000 }, { progress })).toBe("done");
    expect(updates).toBeGreaterThanOrEqual(1_000);
    expect(updates).toBeLessThan(30_000);
  });
});

it("M1 an entry that nests 20,000 deep costs only itself", async () => {
  const scope = createDeployment();
  await scope.source(sourceOf("illformed", ["deep"]));
  const agent = await scope.agent("a");
  const { tools } = agent.surface();
  expect(tools.map(({ name }) => name)).toEqual(["mcp_fixture__deep", "mcp_fixture__first", "mcp_fixture__wrapped"]);
  await scope[Symbol.asyncDispose]();
});

it("M1 C5 a call that is stopped while its server is started again has no effect", async () => {
  await using dying = await open("dying", [unique(), "hang"], { timeoutMs: 60_000 });
  await dying.call("die");
  const controller = new AbortController();
  const waiting = dying.call("starts", {}, { signal: controller.signal });
  controller.abort(new Error("enough"));
  const stopped = {
    status: "error",
    effect: "none",
    error: { code: "call_aborted", message: 'the call was stopped before it was sent to the MCP server "fixture"' },
  };
  expect(await waiting).toMatchObject(stopped);
  expect(await dying.call("starts", {}, { signal: AbortSignal.abort() })).toMatchObject(stopped);
});
