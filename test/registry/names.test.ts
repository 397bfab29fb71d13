import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/errors.ts";
import { assignNames, type NameOptions } from "../../src/registry/names.ts";

const named = (names: readonly string[], options?: NameOptions) =>
  assignNames(
    names.map((name) => ({ name, source: "s" })),
    options,
  );
const aliases = (...names: string[]) => named(names).names.map(({ alias }) => alias);
const provided = (names: readonly string[], options?: NameOptions) =>
  named(names, options).names.map(({ providerName }) => providerName);

describe("aliases", () => {
  it("X3 a name that is an identifier has no alias, reserved words included (A2)", () => {
    const names = [
      "getItem",
      "getitem",
      "delete",
      "class",
      "await",
      "eval",
      "arguments",
      "$x",
      "_",
      "__proto__",
      "then",
      "constructor",
    ];
    expect(named(names)).toEqual({
      names: names.map((name) => ({ name, providerName: name === "$x" ? "_x" : name })),
      warnings: [],
    });
  });

  it.each([
    ["fetch-page", "fetch_page"],
    ["list items", "list_items"],
    ["drive.files.update", "drive_files_update"],
    ["2nd", "_2nd"],
    ['a"]; globalThis.leak = 1; //', "a____globalThis_leak___1____"],
    ["café", "caf_"],
    ["{x}\u2028", "_x__"],
  ])("X3 %j has the one alias %j (A1 A3 A5 A8)", (name, alias) => {
    expect(aliases(name)).toEqual([alias]);
  });

  it("X3 a name without any letter or digit that is kept gets a hash", () => {
    expect(aliases("検索", "削除")).toEqual([
      expect.stringMatching(/^tool_[0-9a-f]{6}$/),
      expect.stringMatching(/^tool_[0-9a-f]{6}$/),
    ]);
    expect(new Set(aliases("検索", "削除")).size).toBe(2);
  });

  it("X3 the exact owner keeps the clean name whatever the order, and a warning names both (B1)", () => {
    const one = named(["get-stock", "get_stock"]);
    const other = named(["get_stock", "get-stock"]);
    expect(one.names).toEqual(other.names.toReversed());
    expect(one.names[1]).toEqual({ name: "get_stock", providerName: "get_stock" });
    const alias = one.names[0]?.alias;
    expect(alias).toMatch(/^get_stock_[0-9a-f]{6}$/);
    expect(one.warnings).toEqual([
      {
        kind: "alias_clash",
        tool: "get-stock",
        message: `the tools "get-stock" and "get_stock" clean to one name, "get_stock"; "get-stock" is called "${alias}"`,
      },
    ]);
  });

  it("X3 a suffix depends on the tool alone, not on its place or on others that go (B4)", () => {
    const [, dash, dot] = aliases("x y", "x-y", "x.y");
    expect(aliases("x-y", "x.y")).toEqual([dash, dot]);
    expect(aliases("x.y", "other", "x-y")).toEqual([dot, undefined, dash]);
  });

  it("X3 equal names of two sources have different suffixes", () => {
    const alias = (source: string) =>
      assignNames([
        { name: "a b", source },
        { name: "a_b", source: "t" },
      ]).names[0]?.alias;
    expect(alias("one")).not.toBe(alias("two"));
  });

  it("X3 a suffix that is another tool's name is made longer (B4)", () => {
    const short = aliases("x y", "x_y")[0] ?? "";
    const long = aliases("x y", "x_y", short)[0];
    expect(long).toMatch(/^x_y_[0-9a-f]{8}$/);
    expect(long?.startsWith(short)).toBe(true);
  });

  it("X3 two suffixes that meet are both made longer, whatever the order (B4)", () => {
    const separators = Array.from({ length: 120 }, (_, index) => String.fromCodePoint(0x3041 + index));
    const owners = new Map<string, string>();
    const all = separators.flatMap((one) => separators.map((other) => `x${one}${other}`));
    const pair = all.flatMap((name) => {
      const alias = aliases(name, "x__")[0] ?? "";
      const owner = owners.get(alias);
      owners.set(alias, name);
      return owner === undefined ? [] : [[owner, name] as const];
    })[0];
    const [one = "", other = ""] = pair ?? [];
    const [first, second] = aliases(one, other);
    expect([first, second]).toEqual([
      expect.stringMatching(/^x___[0-9a-f]{8}$/),
      expect.stringMatching(/^x___[0-9a-f]{8}$/),
    ]);
    expect(first?.slice(0, 10)).toBe(second?.slice(0, 10));
    expect(first).not.toBe(second);
    expect(aliases(other, one)).toEqual([second, first]);
  });

  it("X3 equal final names are refused, naming both sources (B2)", () => {
    const tools = [
      { name: "send_email", source: "a" },
      { name: "send_email", source: "b" },
    ];
    expect(() => assignNames(tools)).toThrow(
      expect.objectContaining({
        code: "duplicate_tool",
        message: 'two tools are named "send_email", one from "a" and one from "b"',
      }) as Fault,
    );
  });
});

describe("provider names", () => {
  it("X3 an over-long name is shortened with a hash of the whole name, and two never meet (A7)", () => {
    const tools = ["minute", "month"].map((unit) => `mcp_observability-production-eu__query_worker_events_by_${unit}`);
    const short = provided(tools, { maxProviderName: 40 });
    for (const name of short) expect(name).toMatch(/^mcp_observability-production-eu___[0-9a-f]{6}$/);
    expect(new Set(short).size).toBe(2);
    expect(short.map((name) => name.length)).toEqual([40, 40]);
    expect(named(tools, { maxProviderName: 40 }).warnings).toEqual([]);
  });

  it("X3 a name at the limit stays as it is", () => {
    expect(provided(["a".repeat(64)])).toEqual(["a".repeat(64)]);
    expect(provided(["a".repeat(65)])[0]).toHaveLength(64);
  });

  it("X3 dots and spaces are cleaned, and a reserved name is never given out", () => {
    expect(provided(["a.b", "c d"])).toEqual(["a_b", "c_d"]);
    expect(provided(["run program"], { reserved: ["run_program"] })[0]).toMatch(/^run_program_[0-9a-f]{6}$/);
  });

  it("X3 servers whose names clean to one prefix stay apart (B3)", () => {
    const { names, warnings } = named(["mcp_my_server__ping", "mcp_my server__ping"]);
    expect(names[0]).toEqual({ name: "mcp_my_server__ping", providerName: "mcp_my_server__ping" });
    expect(names[1]?.providerName).toMatch(/^mcp_my_server__ping_[0-9a-f]{6}$/);
    expect(names[1]?.alias).toBe(names[1]?.providerName);
    expect(warnings.map(({ kind }) => kind)).toEqual(["alias_clash", "provider_name_clash"]);
  });
});

describe("any set of names", () => {
  const part = fc.constantFrom("a", "b", "_", "-", ".", " ", "1", "é", "__proto__", "$", '"', "then", "\u2028");
  const anyName = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
  const tools = fc.uniqueArray(fc.record({ name: anyName, source: fc.constantFrom("s", "t") }), {
    selector: (tool) => tool.name,
    maxLength: 12,
  });
  const options = fc.record({ maxProviderName: fc.constantFrom(16, 24, 64), reserved: fc.constant(["a_a"]) });

  it("X3 all accessors and all provider names are unique and well-formed", () => {
    fc.assert(
      fc.property(tools, options, (given, chosen) => {
        const { names } = assignNames(given, chosen);
        const accessors = names.flatMap(({ name: own, alias }) => (alias === undefined ? [own] : [own, alias]));
        expect(new Set(accessors).size).toBe(accessors.length);
        for (const { name: own, alias } of names) expect(alias ?? own).toMatch(/^[A-Za-z_$][\w$]*$/);
        const providers = names.map(({ providerName }) => providerName);
        expect(new Set(providers).size).toBe(providers.length);
        for (const provider of providers) {
          expect(provider).toMatch(/^[\w-]+$/);
          expect(provider.length).toBeLessThanOrEqual(chosen.maxProviderName);
          expect(chosen.reserved).not.toContain(provider);
        }
      }),
    );
  });

  it("X3 order changes nothing", () => {
    fc.assert(
      fc.property(tools, options, (given, chosen) => {
        const forth = assignNames(given, chosen).names;
        const back = assignNames(given.toReversed(), chosen).names;
        expect(back.toReversed()).toEqual(forth);
      }),
    );
  });

  it("X3 taking one away changes at most the tools that clean to the same name", () => {
    const clean = (name: string) => name.replace(/\W/g, "_").replace(/^(?=\d)/, "_");
    fc.assert(
      fc.property(tools, ([gone, ...rest]) => {
        fc.pre(gone !== undefined);
        const before = assignNames([gone, ...rest]).names.slice(1);
        const after = assignNames(rest).names;
        const changed = rest.filter((_, index) => JSON.stringify(before[index]) !== JSON.stringify(after[index]));
        expect(changed.filter(({ name: other }) => clean(other) !== clean(gone.name))).toEqual([]);
      }),
    );
  });
});
