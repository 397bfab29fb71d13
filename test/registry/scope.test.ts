import { describe, expect, it } from "vitest";
import type { Guard } from "../../src/registry/policy.ts";
import { z } from "zod";
import type { AnyTool } from "../../src/registry/tool.ts";
import { deploy, listen, names, source, tool, type TestScope } from "./tools.ts";

const guardsOf = (scope: TestScope) => scope.surface().guards.map(({ scope: placed, name }) => `${placed}/${name}`);
const none: Guard = () => undefined;

describe("tools", () => {
  it("S3 the same name twice in one scope is refused, naming both", () => {
    const deployment = deploy();
    deployment.tool(tool("send"));
    expect(() => deployment.tool(tool("send"))).toThrow(
      expect.objectContaining({
        code: "duplicate_tool",
        message: 'scope "deployment" already has a tool "send", from "deployment"',
        details: { name: "send", scope: "deployment" },
      }) as Error,
    );
    expect(() => deployment.scope("a").tool(tool("send"))).not.toThrow();
  });

  it("S3 a narrower scope shadows for itself and the scopes below that do not shadow again", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    const team = support.scope("team");
    const other = team.scope("other");
    deployment.tool(tool("send", { description: "Returns wide." }));
    const narrow = support.tool(tool("send", { description: "Returns narrow." }));
    other.tool(tool("send", { description: "Returns narrowest." }));
    const described = () =>
      [deployment, support, team, other].map((scope) => scope.surface().find("send")?.tool.description);
    expect(described()).toEqual(["Returns wide.", "Returns narrow.", "Returns narrow.", "Returns narrowest."]);
    expect([deployment, support, other].map((scope) => scope.surface().find("send")?.tool.source)).toEqual([
      "deployment",
      "deployment/support",
      "deployment/support/team/other",
    ]);
    narrow[Symbol.dispose]();
    expect(described()).toEqual(["Returns wide.", "Returns wide.", "Returns wide.", "Returns narrowest."]);
  });

  it("S3 siblings do not see each other's tools (J3)", () => {
    const deployment = deploy();
    const [a, b] = [deployment.scope("a"), deployment.scope("b")];
    a.tool(tool("only_a"));
    b.tool(tool("only_b"));
    expect([names(deployment), names(a), names(b)]).toEqual([[], ["only_a"], ["only_b"]]);
  });

  it("S1 a registration is taken away once, and its name is free again", () => {
    const deployment = deploy();
    const first = deployment.tool(tool("t"));
    first[Symbol.dispose]();
    deployment.tool(tool("t"));
    first[Symbol.dispose]();
    expect(names(deployment)).toEqual(["t"]);
  });

  it("S6 a source closed twice leaves the one that has its name by then to its scope", async () => {
    const deployment = deploy();
    const [first, second] = [source("s", [tool("a")]), source("s", [tool("b")])];
    const joined = await deployment.source(first);
    await joined[Symbol.asyncDispose]();
    await deployment.source(second);
    await joined[Symbol.asyncDispose]();
    await expect(deployment.source(source("s", []))).rejects.toMatchObject({ code: "duplicate_source" });
    expect(names(deployment)).toEqual(["b"]);
    await deployment[Symbol.asyncDispose]();
    expect([first.state.closed, second.state.closed]).toEqual([1, 1]);
  });

  it.each<[string, () => unknown]>([
    [
      'createDeployment has no option "logr"; there are logger, codeTool, maxProviderName, checkerPath, roots, identity, declareIn, declarationTokens, learnOutputs, secrets, lean',
      () => deploy({ logr: 1 } as object),
    ],
    [
      'scope.agent has no option "from"; there are form, runtime',
      () => deploy().agent("a", { from: "code" } as object),
    ],
    ['scope.agent must be an object of options, got "code"', () => deploy().agent("a", "code" as never)],
    ['the name of a scope must be text that is not empty, got ""', () => deploy().scope("")],
    ["the name of a guard must be text that is not empty, got 5", () => deploy().guard(5 as never, none)],
    [
      "the name of a composition must be text that is not empty, got undefined",
      () => deploy().compose(undefined as never),
    ],
    ["the name of a source must be text that is not empty, got null", () => deploy().source(source(null as never, []))],
  ])("F6 what a host gets wrong is told: %s", async (message, misuse) => {
    await expect((async () => misuse())()).rejects.toMatchObject({ code: "invalid_options", message });
  });

  it("S7 the code tool's name, as set, and the rest entry's are refused (L4)", () => {
    expect(() => deploy().tool(tool("run_program"))).toThrow(
      expect.objectContaining({
        code: "reserved_name",
        message: 'tool "run_program": that name belongs to the code tool',
      }) as Error,
    );
    const deployment = deploy({ codeTool: "code" });
    expect(() => deployment.scope("a").tool(tool("code"))).toThrow(
      expect.objectContaining({ code: "reserved_name" }) as Error,
    );
    deployment.tool(tool("run_program"));
    expect(() => deployment.tool(tool("<unlisted-tools>"))).toThrow(
      expect.objectContaining({
        code: "reserved_name",
        message: 'tool "<unlisted-tools>": that name stands for the tools that an order does not list',
      }) as Error,
    );
  });

  it("S1 effects stay unknown where none are given, and a pure tool is known to be", () => {
    const deployment = deploy();
    deployment.tool(tool("a"));
    deployment.tool(tool("b", { effects: [] }));
    expect(deployment.surface().tools.map((offered) => offered.tool.effects)).toEqual([undefined, []]);
    expect(deployment.surface().tools.map((offered) => offered.tool.callers)).toEqual([
      ["direct", "code"],
      ["direct", "code"],
    ]);
  });

  it("S1 one bad schema of a source is reported and harms no other tool (C19)", async () => {
    const logger = listen();
    const deployment = deploy({ logger });
    const good = Array.from({ length: 8 }, (_, index) => tool(`t${index}`));
    const text = tool("text", { inputSchema: { type: "string" } });
    const open = tool("none", { inputSchema: null });
    await deployment.source(source("s", [...good, tool("bad", { inputSchema: { type: 7 } }), open, text]));
    expect(names(deployment)).toHaveLength(11);
    const messages = [
      'tool "bad", inputSchema is broken at #/type, which must be equal to one of the allowed values and is 7; any object is let through',
      'tool "text", inputSchema accepts no object, so no call can match it',
    ];
    expect(deployment.warnings).toEqual([
      { kind: "schema", tool: "bad", source: "s", message: messages[0] },
      { kind: "schema", tool: "text", source: "s", message: messages[1] },
    ]);
    expect(logger.lines).toEqual(messages.map((message) => `warn ${message}`));
  });

  it.each<[string, unknown, string, string]>([
    [
      "is broken",
      { type: 7 },
      "invalid_tool",
      "is broken at #/type, which must be equal to one of the allowed values and is 7",
    ],
    ["admits no object", { type: "string" }, "invalid_tool", "accepts no object, so no call can match it"],
    ["is no schema", 5, "invalid_tool", "inputSchema must be a schema or null"],
    [
      "is a plain object of schemas",
      { a: z.string() },
      "schema_unsupported",
      "is a plain object of schemas; make one schema of it, as z.object({ ... })",
    ],
  ])("S1 a tool of the host's own whose input schema %s is refused", (_what, inputSchema, code, message) => {
    const deployment = deploy();
    const wrong = tool("t", { inputSchema } as Partial<AnyTool>);
    expect(() => deployment.tool(wrong)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) as string }),
    );
    expect(names(deployment)).toEqual([]);
  });
});

describe("guards and policies", () => {
  it("G1 guards are in order, outermost scope first, and one of the same name further in adds", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    support.guard("hours", none);
    deployment.guard("quota", none);
    deployment.guard("hours", none);
    support.guard("audit", none);
    expect(guardsOf(support)).toEqual(["deployment/quota", "deployment/hours", "support/hours", "support/audit"]);
    expect(guardsOf(deployment)).toEqual(["deployment/quota", "deployment/hours"]);
  });

  it("G1 the same name twice in one scope is refused until the first is gone", () => {
    const support = deploy().scope("support");
    const first = support.guard("hours", none);
    expect(() => support.guard("hours", none)).toThrow(
      expect.objectContaining({
        code: "duplicate_guard",
        message: 'scope "support" already has a guard "hours"',
      }) as Error,
    );
    first[Symbol.dispose]();
    support.guard("hours", none);
    expect(guardsOf(support)).toEqual(["support/hours"]);
  });

  it("G2 a guard changes no byte of the surface's descriptions", () => {
    const deployment = deploy();
    deployment.tool(tool("t"));
    const before = deployment.surface();
    deployment.guard("g", none);
    const after = deployment.surface();
    expect(after).not.toBe(before);
    expect([after.hash, after.guards.length]).toEqual([before.hash, before.guards.length + 1]);
  });

  it("G4 policies are in order, outermost scope first", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    const inner = support.policy(() => "allow");
    deployment.policy(() => ({ verdict: "ask" }));
    expect(support.surface().policies.map(({ scope }) => scope)).toEqual(["deployment", "support"]);
    inner[Symbol.dispose]();
    expect(support.surface().policies.map(({ scope }) => scope)).toEqual(["deployment"]);
  });

  it("G1 what is no function is refused", () => {
    expect(() => deploy().guard("g", "closed" as never)).toThrow(
      expect.objectContaining({ code: "invalid_options", message: 'guard "g" must be a function' }) as Error,
    );
    expect(() => deploy().policy("allow" as never)).toThrow(
      expect.objectContaining({ code: "invalid_options" }) as Error,
    );
    expect(() => deploy().guard("", none)).toThrow('the name of a guard must be text that is not empty, got ""');
  });
});

describe("disposing", () => {
  it("S6 a scope takes everything in it away, below too, twice without harm, and refuses what comes later", async () => {
    const deployment = deploy();
    deployment.tool(tool("stays"));
    const support = deployment.scope("support");
    const team = support.scope("team");
    support.tool(tool("goes"));
    support.guard("g", none);
    const agent = await team.agent("a", {});
    expect(agent.surface().tools.map(({ name }) => name)).toEqual(["goes", "stays"]);
    support[Symbol.dispose]();
    support[Symbol.dispose]();
    await support[Symbol.asyncDispose]();
    expect(agent.signal.aborted).toBe(true);
    expect(agent.signal.reason).toMatchObject({ code: "scope_disposed", message: 'scope "team" was disposed' });
    expect(() => agent.surface()).toThrow(
      expect.objectContaining({
        code: "scope_disposed",
        message: 'scope "team" is disposed; a surface needs one that is not',
      }) as Error,
    );
    for (const use of [
      () => support.tool(tool("t")),
      () => support.guard("g", none),
      () => support.policy(() => "allow"),
      () => support.scope("s"),
      () => team.compose("c"),
    ]) {
      expect(use).toThrow(expect.objectContaining({ code: "scope_disposed" }) as Error);
    }
    expect(names(deployment)).toEqual(["stays"]);
  });

  it("S6 ends inner scopes before outer ones and closes their sources, the latest first, each once", async () => {
    const deployment = deploy();
    const events: string[] = [];
    const noted = async (scope: TestScope, name: string) => {
      const joined = source(name, [tool(name)]);
      const close = joined[Symbol.asyncDispose].bind(joined);
      joined[Symbol.asyncDispose] = () => (events.push(`close ${name}`), close());
      await scope.source(joined);
    };
    const support = deployment.scope("support");
    const [first, second] = [support.scope("first"), support.scope("second")];
    const inner = first.scope("inner");
    for (const scope of [support, inner, second, first]) {
      const { signal } = await scope.agent(scope.name);
      signal.addEventListener("abort", () => events.push(`end ${scope.name}`));
      await noted(scope, `${scope.name}-1`);
      await noted(scope, `${scope.name}-2`);
    }
    await Promise.all([support[Symbol.asyncDispose](), support[Symbol.asyncDispose]()]);
    await inner[Symbol.asyncDispose]();
    expect(events).toEqual(
      ["second", "inner", "first", "support"].flatMap((name) => [`close ${name}-2`, `close ${name}-1`, `end ${name}`]),
    );
    expect(names(deployment)).toEqual([]);
  });

  it("S6 lets nothing in that hears of its end", async () => {
    const scope = deploy().scope("s");
    const { signal } = await scope.agent("a");
    const thrown: unknown[] = [];
    signal.addEventListener("abort", () => {
      void scope[Symbol.asyncDispose]();
      try {
        scope.tool(tool("late"));
      } catch (error) {
        thrown.push(error);
      }
    });
    await scope[Symbol.asyncDispose]();
    expect(thrown).toEqual([expect.objectContaining({ code: "scope_disposed" })]);
  });

  it("S6 waits until every source below is closed, also one that fails to, which is logged", async () => {
    const logger = listen();
    const deployment = deploy({ logger });
    const inner = deployment.scope("a").scope("b");
    const slow = source("slow", []);
    const closing = Promise.withResolvers<void>();
    slow[Symbol.asyncDispose] = () => closing.promise;
    const broken = source("broken", []);
    broken[Symbol.asyncDispose] = () => Promise.reject(new Error("no"));
    await inner.source(slow);
    await inner.source(broken);
    let over = false;
    const disposing = deployment[Symbol.asyncDispose]().then(() => (over = true));
    await new Promise(setImmediate);
    expect(over).toBe(false);
    closing.resolve();
    await disposing;
    expect(logger.lines).toEqual(["error closing a source failed: no"]);
  });

  it("S6 scopes nest as deep as one likes, and all end together", async () => {
    const deployment = deploy();
    deployment.tool(tool("t"));
    let deepest = deployment;
    for (let depth = 0; depth < 5_000; depth++) deepest = deepest.scope("s");
    expect(names(deepest)).toEqual(["t"]);
    await deployment[Symbol.asyncDispose]();
    expect(() => deepest.surface()).toThrow(expect.objectContaining({ code: "scope_disposed" }) as Error);
  });

  it("S6 `using` ends a scope", () => {
    const deployment = deploy();
    let kept: TestScope;
    {
      using scope = deployment.scope("s");
      kept = scope;
      scope.tool(tool("t"));
    }
    expect(() => kept.surface()).toThrow(expect.objectContaining({ code: "scope_disposed" }) as Error);
  });
});

describe("options", () => {
  it.each<[object, string]>([
    [
      { codeTool: "run program" },
      'codeTool must be a name of letters, digits, _ and -, at most 64 long, got "run program"',
    ],
    [{ codeTool: "" }, 'codeTool must be a name of letters, digits, _ and -, at most 64 long, got ""'],
    [{ maxProviderName: 15 }, "maxProviderName must be an integer from 16 to 256, got 15"],
    [
      { maxProviderName: 20, codeTool: "a".repeat(21) },
      `codeTool must be a name of letters, digits, _ and -, at most 20 long, got "${"a".repeat(21)}"`,
    ],
    [{ logger: {} }, "logger must have the methods warn and error"],
  ])("S7 %j is refused", (options, message) => {
    expect(() => deploy(options)).toThrow(expect.objectContaining({ code: "invalid_options", message }) as Error);
  });
});
