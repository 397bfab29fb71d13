import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault } from "../../src/errors.ts";
import { deploy, listen, names, tool } from "./tools.ts";

describe("a surface", () => {
  it("S8 lists by name in code units, numbered, frozen", () => {
    const deployment = deploy();
    for (const name of ["b", "a", "B", "é", "_", "a-b", "aa"]) deployment.tool(tool(name));
    const { tools } = deployment.surface();
    expect(tools.map(({ name, number }) => `${number} ${name}`)).toEqual([
      "0 B",
      "1 _",
      "2 a",
      "3 a-b",
      "4 aa",
      "5 b",
      "6 é",
    ]);
    expect(
      [tools, tools[0], tools[0]?.tool, deployment.surface(), deployment.surface().guards].every(Object.isFrozen),
    ).toBe(true);
  });

  it("S8 what is switched off or gated is not in it", () => {
    const deployment = deploy();
    deployment.tool(tool("on", { enabled: true, gated: false }));
    deployment.tool(tool("off", { enabled: false }));
    deployment.tool(tool("gated", { gated: true }));
    expect(names(deployment)).toEqual(["on"]);
    expect(deployment.surface().find("off")).toBeUndefined();
    expect(deployment.warnings.map(({ kind, tool: name }) => `${kind} ${name}`)).toEqual(["gated gated"]);
  });

  it("X3 finds the exact name before an alias, and provider names apart (A9)", () => {
    const deployment = deploy();
    for (const name of ["get-stock", "get_stock", "fetch-page", "getItem", "getitem"]) deployment.tool(tool(name));
    const surface = deployment.surface();
    expect(surface.find("get_stock")?.name).toBe("get_stock");
    expect(surface.find("fetch_page")?.name).toBe("fetch-page");
    expect(surface.find("fetch-page")?.name).toBe("fetch-page");
    expect(surface.find(surface.find("get-stock")?.alias ?? "")?.name).toBe("get-stock");
    expect([surface.find("getitem")?.name, surface.find("getItem")?.name, surface.find("GetItem")]).toEqual([
      "getitem",
      "getItem",
      undefined,
    ]);
    expect(surface.byProviderName("fetch-page")?.name).toBe("fetch-page");
    expect(surface.byProviderName("fetch_page")).toBeUndefined();
  });

  it("X3 inherited names find nothing unless a tool has them", () => {
    const deployment = deploy();
    for (const name of ["__proto__", "constructor", "then", "toString", "hasOwnProperty"])
      expect(deployment.surface().find(name)).toBeUndefined();
    deployment.tool(tool("__proto__"));
    expect(deployment.surface().find("__proto__")?.tool.name).toBe("__proto__");
    expect(deployment.surface().byProviderName("__proto__")?.number).toBe(0);
  });

  it("G13 the nearest are given as programs call them (A1)", () => {
    const deployment = deploy();
    for (const name of ["fetch-page", "delete", "send_email"]) deployment.tool(tool(name));
    expect(deployment.surface().nearest("fetchPage")).toEqual(["fetch_page"]);
    expect(deployment.surface().nearest("sendEmails")).toEqual(["send_email"]);
    expect(deployment.surface().nearest("zzzzzzzz")).toEqual([]);
  });

  it("X3 a clash is warned of once, however often the surface is made", () => {
    const logger = listen();
    const deployment = deploy({ logger });
    deployment.tool(tool("a-b"));
    deployment.tool(tool("a_b"));
    deployment.surface();
    deployment.tool(tool("c"));
    const { warnings } = deployment.surface();
    expect(warnings.map(({ kind }) => kind)).toEqual(["alias_clash"]);
    expect(deployment.warnings).toEqual(warnings);
    expect(logger.lines).toEqual(warnings.map(({ message }) => `warn ${message}`));
  });

  it("X3 the code tool's provider name is never another tool's", () => {
    const deployment = deploy();
    deployment.tool(tool("run program"));
    expect(deployment.surface().tools[0]?.providerName).toMatch(/^run_program_[0-9a-f]{6}$/);
  });

  it("F4 is the same object until something registered changes, here or in a wider scope", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    const sibling = deployment.scope("sibling");
    const first = support.surface();
    expect(support.surface()).toBe(first);
    sibling.tool(tool("s"));
    expect(support.surface()).toBe(first);
    const added = deployment.tool(tool("t"));
    expect(support.surface()).not.toBe(first);
    added[Symbol.dispose]();
    expect(support.surface().hash).toBe(first.hash);
  });

  it("F4 X3 the hash is over aliases too, which depend on the source of a tool", () => {
    const deployment = deploy();
    const scopes = ["x", "y"].map((name) => deployment.scope(name));
    for (const scope of scopes) for (const name of ["a-b", "a_b"]) scope.tool(tool(name));
    const [x, y] = scopes.map((scope) => scope.surface());
    expect(x?.tools[0]?.alias).not.toBe(y?.tools[0]?.alias);
    expect(x?.hash).not.toBe(y?.hash);
  });

  it("F4 S10 the hash is over names, descriptions, schemas and callers, whatever the order of registering and of keys", () => {
    const hash = (...tools: Parameters<typeof tool>[]) => {
      const deployment = deploy();
      for (const each of tools) deployment.tool(tool(...each));
      return deployment.surface().hash;
    };
    const base = hash(["a"], ["b"]);
    expect(base).toMatch(/^[0-9a-f]{64}$/);
    expect(hash(["b"], ["a"])).toBe(base);
    expect(hash(["a", { keywords: ["k"], execute: () => 2 }], ["b"])).toBe(base);
    expect(hash(["a", { callers: ["code", "direct"] }], ["b"])).toBe(base);
    expect(hash(["a", { inputSchema: { type: "object", title: "x" } }])).toBe(
      hash(["a", { inputSchema: { title: "x", type: "object" } }]),
    );
    const others = [
      hash(["a"]),
      hash(["a"], ["c"]),
      hash(["a", { description: "Returns x." }], ["b"]),
      hash(["a", { inputSchema: {}, outputSchema: {} }], ["b"]),
      hash(["a", { callers: ["code"] }], ["b"]),
    ];
    expect(new Set([base, ...others]).size).toBe(6);
  });

  it("G2 S8 what decides about calls leaves the tools the same object, as what the prompt says does", () => {
    const deployment = deploy();
    deployment.tool(tool("t"));
    const first = deployment.surface();
    deployment.guard("g", () => undefined);
    deployment.policy(() => "allow");
    deployment.section({ name: "s", order: 1, text: "" });
    expect(deployment.surface().tools).toBe(first.tools);
  });

  it("S8 every registered name is known to the host, hidden, gated or switched off", () => {
    const deployment = deploy();
    deployment.tool(tool("on"));
    deployment.tool(tool("off", { enabled: false }));
    const support = deployment.scope("support");
    support.restrict({ deny: ["on"] });
    support.permit([]);
    support.tool(tool("gated", { gated: true }));
    expect([[...support.surface().registered], names(support)]).toEqual([["on", "off", "gated"], []]);
  });

  it("S8 X3 holds ten thousand tools over nested scopes, each found by its name and its alias", () => {
    const deployment = deploy();
    const scopes = [deployment];
    for (let depth = 1; depth < 5; depth++) scopes.push((scopes.at(-1) ?? deployment).scope(`s${depth}`));
    const expected = Array.from({ length: 10_000 }, (_, index) => `tool-${index}`);
    for (const [index, name] of expected.entries()) scopes[index % 5]?.tool(tool(name));
    const { tools, find } = (scopes.at(-1) ?? deployment).surface();
    expect(tools.map(({ name }) => name)).toEqual(expected.toSorted());
    expect(expected.filter((name) => find(name)?.name !== name)).toEqual([]);
    expect(expected.filter((name) => find(name.replace("-", "_"))?.name !== name)).toEqual([]);
  });

  it("S3 S8 any registering and disposing leaves what plain lists would hold, the same name twice refused", () => {
    const step = fc.record({
      scope: fc.constantFrom(0, 1, 2),
      name: fc.constantFrom("a", "b", "c-d", "c_d"),
      add: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const deployment = deploy();
        const support = deployment.scope("support");
        const scopes = [deployment, support, support.scope("team")].map((scope) => ({
          scope,
          held: new Map<string, Disposable>(),
        }));
        const refused: string[] = [];
        const taken: string[] = [];
        for (const { scope: depth, name, add } of steps) {
          const { scope, held } = scopes[depth] ?? { scope: deployment, held: new Map<string, Disposable>() };
          if (add && held.has(name)) taken.push(`duplicate_tool ${name}`);
          try {
            if (add) held.set(name, scope.tool(tool(name, { description: `Returns ${depth}.` })));
            else held.get(name)?.[Symbol.dispose]();
          } catch (error) {
            refused.push(`${error instanceof Fault ? error.code : String(error)} ${name}`);
          }
          if (!add) held.delete(name);
        }
        expect(refused).toEqual(taken);
        for (const [depth, { scope }] of scopes.entries()) {
          const expected = new Map(
            scopes
              .slice(0, depth + 1)
              .flatMap(({ held }, level) => [...held.keys()].map((name) => [name, `Returns ${level}.`] as const)),
          );
          const seen = scope.surface().tools.map(({ name, tool: { description } }) => [name, description]);
          expect(seen).toEqual([...expected].sort(([a], [b]) => (a < b ? -1 : 1)));
        }
      }),
    );
  });
});
