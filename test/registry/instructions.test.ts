import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Instructions } from "../../src/registry/instructions.ts";
import { deploy, tool, type TestScope } from "./tools.ts";

const told = (scope: TestScope): Instructions => scope.surface().instructions;
const section = (name: string, text = name) => ({ name, order: 100, text });
const refused = (code: string, message: string): Error => expect.objectContaining({ code, message }) as Error;

describe("what a scope says", () => {
  it("P3 a section of the nearest scope wins by name, for it and those below, with its own placement", () => {
    const deployment = deploy();
    const [support, sales] = [deployment.scope("support"), deployment.scope("sales")];
    deployment.section(section("plan", "wide"));
    deployment.section(section("team", "wide"));
    const narrow = support.section({ name: "plan", order: 7, text: "narrow", fill: false });
    const texts = (scope: TestScope) => told(scope).sections.map(({ name, text, order }) => [name, text, order]);
    expect([support, support.scope("s"), sales].map(texts)).toEqual([
      [
        ["plan", "narrow", 7],
        ["team", "wide", 100],
      ],
      [
        ["plan", "narrow", 7],
        ["team", "wide", 100],
      ],
      [
        ["plan", "wide", 100],
        ["team", "wide", 100],
      ],
    ]);
    expect(told(support).sections[0]).toEqual({
      name: "plan",
      order: 7,
      text: "narrow",
      complete: false,
      fill: false,
      scope: "support",
      depth: 1,
    });
    narrow[Symbol.dispose]();
    expect(texts(support)).toEqual(texts(deployment));
  });

  it("P2 a section whose placement is no number is for the assembly to refuse", () => {
    const deployment = deploy();
    for (const [index, order] of [NaN, Infinity, "1", undefined].entries())
      deployment.section({ name: `s${index}`, order: order as number, text: "" });
    expect(told(deployment).sections.map(({ order }) => order)).toEqual([NaN, Infinity, "1", undefined]);
  });

  it("P10 a variable of the nearest scope wins by name", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    const value = () => "later";
    deployment.variable("company", "wide");
    deployment.variable("day", value);
    support.variable("company", "narrow");
    expect([...told(support).variables]).toEqual([
      ["company", { name: "company", value: "narrow", scope: "support", depth: 1 }],
      ["day", { name: "day", value, scope: "deployment", depth: 0 }],
    ]);
  });

  it("P7 contexts are by name too, outermost first, and switched off by scope or for everyone", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    const feed = () => "now";
    support.context({ name: "time", text: feed });
    support.context({ name: "place", text: "here" });
    deployment.context({ name: "place", text: "there" });
    expect(told(support).contexts.map(({ name, text, scope }) => [name, text, scope])).toEqual([
      ["place", "here", "support"],
      ["time", feed, "support"],
    ]);
    const off = () => [deployment, support, support.scope("s"), deployment.scope("t")].map((s) => told(s).contextOff);
    expect(off()).toEqual(["no", "no", "no", "no"]);
    const [first, second] = [support.runtimeContext(false), support.runtimeContext(false)];
    expect(off()).toEqual(["no", "scope", "scope", "no"]);
    const all = deployment.runtimeContext(false);
    expect(off()).toEqual(["deployment", "deployment", "deployment", "deployment"]);
    first[Symbol.dispose]();
    all[Symbol.dispose]();
    expect(off()).toEqual(["no", "scope", "scope", "no"]);
    second[Symbol.dispose]();
    expect(off()).toEqual(["no", "no", "no", "no"]);
  });

  it("P8 pieces of the persona are replaced by name, each in the place of the one it replaces", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    deployment.persona({ prefix: "P", suffix: "S" });
    deployment.persona({ name: "brand", prefix: "B" });
    const narrow = support.persona({ prefix: "p" });
    const pieces = (scope: TestScope) => {
      const { prefix, suffix } = told(scope);
      return [prefix, suffix].map((all) => all.map(({ name, text }) => `${name} ${text}`));
    };
    expect(pieces(deployment)).toEqual([["prefix P", "brand B"], ["suffix S"]]);
    expect(pieces(support)).toEqual([["prefix p", "brand B"], ["suffix S"]]);
    narrow[Symbol.dispose]();
    support.persona({ prefix: "", name: "brand" });
    expect(pieces(support)).toEqual([["prefix P", "brand "], ["suffix S"]]);
  });

  it("P6 the identity line is off, the deployment's wording, or one's own, as the nearest scope says", () => {
    const deployment = deploy({ identity: "You are Oda." });
    const support = deployment.scope("support");
    const team = support.scope("team");
    const lines = () => [deployment, support, team].map((scope) => told(scope).identity);
    expect(lines()).toEqual([undefined, undefined, undefined]);
    const on = deployment.identity(true);
    support.identity(false);
    team.identity("You are a team.");
    expect(lines()).toEqual(["You are Oda.", undefined, "You are a team."]);
    on[Symbol.dispose]();
    expect(lines()).toEqual([undefined, undefined, "You are a team."]);
    const neutral = deploy();
    neutral.identity(true);
    expect(told(neutral).identity).toBe("You are an AI agent.");
  });

  it("P5 adjusters are in order, outermost scope first, and those of one name in two scopes both count", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    const adjust = () => undefined;
    support.adjust("tone", adjust);
    support.adjust(adjust);
    support.adjust(adjust);
    deployment.adjust("tone", adjust);
    expect(told(support).adjusters).toEqual([
      { name: "tone", adjust, scope: "deployment", depth: 0 },
      { name: "tone", adjust, scope: "support", depth: 1 },
      { name: "unnamed", adjust, scope: "support", depth: 1 },
      { name: "unnamed", adjust, scope: "support", depth: 1 },
    ]);
  });

  it("P9 the nearest order of tools holds, as it was when it was given", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    const order = ["b", "<unlisted-tools>", "a", "a"];
    deployment.toolOrder(order);
    const narrow = support.toolOrder(["<unlisted-tools>"]);
    order.push("c");
    expect([deployment, support].map((scope) => told(scope).toolOrder)).toEqual([
      ["b", "<unlisted-tools>", "a", "a"],
      ["<unlisted-tools>"],
    ]);
    narrow[Symbol.dispose]();
    expect(told(support).toolOrder).toEqual(["b", "<unlisted-tools>", "a", "a"]);
  });

  it("F4 is frozen, and made again only where it changed, apart from the tools", () => {
    const deployment = deploy();
    deployment.tool(tool("t"));
    const support = deployment.scope("support");
    const first = support.surface();
    expect(Object.isFrozen(first.instructions) && Object.isFrozen(first.instructions.sections)).toBe(true);
    const added = deployment.section(section("s"));
    const second = support.surface();
    expect(second).not.toBe(first);
    expect([second.tools === first.tools, second.hash === first.hash, support.surface() === second]).toEqual([
      true,
      true,
      true,
    ]);
    support.tool(tool("u"));
    const third = support.surface();
    expect([third.tools === second.tools, third.instructions === second.instructions]).toEqual([false, true]);
    added[Symbol.dispose]();
    expect(told(support)).toEqual(first.instructions);
  });

  it("S6 all of it goes with its scope", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    const before = told(deployment);
    const held = [
      support.section({ ...section("s"), complete: true }),
      support.context({ name: "c", text: "c" }),
      support.variable("v", "v"),
      support.persona({ prefix: "p", suffix: "s" }),
      support.identity("I am."),
      support.adjust("a", () => undefined),
      support.toolOrder(["<unlisted-tools>"]),
      support.runtimeContext(false),
    ];
    support[Symbol.dispose]();
    for (const one of held) one[Symbol.dispose]();
    expect(told(deployment)).toEqual(before);
    expect(told(deployment.scope("support"))).toEqual(before);
  });

  it("S6 P3 any registering and disposing leaves the nearest by name", () => {
    const step = fc.record({ depth: fc.nat(3), name: fc.constantFrom("a", "b", "__proto__"), add: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const scopes = [deploy()];
        for (const name of ["s", "t", "u"]) scopes.push((scopes.at(-1) as TestScope).scope(name));
        const held = scopes.map(() => new Map<string, Disposable>());
        for (const { depth, name, add } of steps) {
          if (add && !held[depth]?.has(name))
            held[depth]?.set(name, (scopes[depth] as TestScope).section(section(name, String(depth))));
          if (!add) held[depth]?.get(name)?.[Symbol.dispose]();
          if (!add) held[depth]?.delete(name);
        }
        for (const [depth, scope] of scopes.entries()) {
          const expected = ["a", "b", "__proto__"].flatMap((name) => {
            const owner = held.findLastIndex((names, at) => at <= depth && names.has(name));
            return owner < 0 ? [] : [`${name} ${owner}`];
          });
          const seen = told(scope).sections.map(({ name, text }) => `${name} ${String(text)}`);
          expect(seen.toSorted()).toEqual(expected.toSorted());
        }
      }),
    );
  });
});

describe("what is refused", () => {
  it("P3 a section twice in one layer, even an equal one, until the first is gone", () => {
    const deployment = deploy();
    const support = deployment.scope("support");
    const odd = 'a "quoted" {{name}}\nof two lines';
    for (const name of ["plan", odd, "__proto__", "constructor"]) {
      const [wide, narrow] = [deployment.section(section(name)), support.section(section(name))];
      const message = `prompt section "${name}" is already registered`;
      expect(() => deployment.section(section(name))).toThrow(refused("duplicate_section", message));
      expect(() => support.section(section(name))).toThrow(refused("duplicate_section", `${message} in this scope`));
      wide[Symbol.dispose]();
      narrow[Symbol.dispose]();
      support.section(section(name));
      expect(told(support).sections.filter((one) => one.name === name)).toHaveLength(1);
    }
  });

  it.each<[string, (scope: TestScope) => unknown]>([
    ['scope "support" already has a context "c"', (scope) => scope.context({ name: "c", text: "c" })],
    ['scope "support" already has a variable "v"', (scope) => scope.variable("v", "v")],
    ['scope "support" already has a persona prefix "prefix"', (scope) => scope.persona({ prefix: "p" })],
    ['scope "support" already has a persona suffix "n"', (scope) => scope.persona({ suffix: "s", name: "n" })],
    ['scope "support" already has an adjuster "a"', (scope) => scope.adjust("a", () => undefined)],
    ['scope "support" already has an identity', (scope) => scope.identity(true)],
    ['scope "support" already has an order of tools', (scope) => scope.toolOrder(["<unlisted-tools>"])],
  ])("P3 the same twice in one scope: %s", (message, register) => {
    const scope = deploy().scope("support");
    const first = register(scope) as Disposable;
    const before = told(scope);
    expect(() => register(scope)).toThrow(refused("duplicate_instruction", message));
    expect(told(scope)).toBe(before);
    first[Symbol.dispose]();
    expect(() => register(scope)).not.toThrow();
  });

  it("P8 a persona of which one piece is taken registers none", () => {
    const scope = deploy();
    scope.persona({ suffix: "s" });
    expect(() => scope.persona({ prefix: "p", suffix: "t" })).toThrow(
      refused("duplicate_instruction", 'scope "deployment" already has a persona suffix "suffix"'),
    );
    expect(told(scope).prefix).toEqual([]);
  });

  it.each<[string, (scope: TestScope) => unknown]>([
    ["scope.section must be an object of options, got undefined", (scope) => scope.section(undefined as never)],
    ["scope.section must be an object of options, got null", (scope) => scope.section(null as never)],
    ["scope.context must be an object of options, got undefined", (scope) => scope.context(undefined as never)],
    ["scope.persona must be an object of options, got undefined", (scope) => scope.persona(undefined as never)],
    ['the name of a context must be text that is not empty, got ""', (scope) => scope.context({ name: "", text: "" })],
    [
      'the name of a persona must be text that is not empty, got ""',
      (scope) => scope.persona({ name: "", prefix: "p" }),
    ],
    ['the name of an adjuster must be text that is not empty, got ""', (scope) => scope.adjust("", () => undefined)],
    [
      'scope.section has no option "body"; there are name, order, text, complete, fill',
      (scope) => scope.section({ ...section("s"), body: "" } as never),
    ],
    ['the name of a section must be text that is not empty, got ""', (scope) => scope.section(section(""))],
    [
      'section "s": text must be text or a function that gives it, got undefined',
      (scope) => scope.section({ name: "s", order: 1 } as never),
    ],
    [
      "option complete of scope.section must be true or false, got 1",
      (scope) => scope.section({ ...section("s"), complete: 1 } as never),
    ],
    [
      'context "c": text must be text or a function that gives it, got an object',
      (scope) => scope.context({ name: "c", text: {} as never }),
    ],
    ["scope.runtimeContext takes false alone, got true", (scope) => scope.runtimeContext(true as never)],
    ['variable "v": value must be text or a function that gives it, got 5', (scope) => scope.variable("v", 5 as never)],
    ["scope.persona needs a prefix, a suffix or both", (scope) => scope.persona({ name: "n" })],
    ["option prefix of scope.persona must be text, got 5", (scope) => scope.persona({ prefix: 5 as never })],
    ['the identity must be text that is not empty, got ""', (scope) => scope.identity("")],
    ['the identity must be one line, got "You\\nare."', (scope) => scope.identity("You\nare.")],
    ['adjuster "a" must be a function', (scope) => scope.adjust("a", "b" as never)],
    ['adjuster "unnamed" must be a function', (scope) => scope.adjust("a" as never)],
    ["scope.toolOrder takes an array of texts, got an array", (scope) => scope.toolOrder([5] as never)],
    ['scope.toolOrder takes an array of texts, got "a"', (scope) => scope.toolOrder("a" as never)],
    ['identity of createDeployment must be one line, got "a\\rb"', () => deploy({ identity: "a\rb" })],
  ])("P3 what a host gets wrong is told: %s", (message, misuse) => {
    const scope = deploy();
    expect(() => misuse(scope)).toThrow(refused("invalid_options", message));
  });

  it.each(["Company", "a-b", "1st", "", "é", " model ", "__proto__", "a\n"])("P10 the variable name %j", (name) => {
    const message =
      name === ""
        ? 'the name of a variable must be text that is not empty, got ""'
        : `the name of a variable must be of lowercase letters, digits and _ and begin with a letter, got ${JSON.stringify(name)}`;
    expect(() => deploy().variable(name, "v")).toThrow(refused("invalid_options", message));
  });

  it.each(["model", "working_folder"])("P10 the variable %s, which comes with every request", (name) => {
    expect(() => deploy().variable(name, "v")).toThrow(
      refused("reserved_name", `variable "${name}" comes with every request`),
    );
  });

  it("S6 anything once the scope is disposed", () => {
    const scope = deploy().scope("s");
    scope[Symbol.dispose]();
    const uses: readonly [string, () => unknown][] = [
      ["a section", () => scope.section(section("s"))],
      ["a context", () => scope.context({ name: "c", text: "" })],
      ["a switch of the runtime context", () => scope.runtimeContext(false)],
      ["a variable", () => scope.variable("v", "")],
      ["a persona", () => scope.persona({ prefix: "" })],
      ["an identity", () => scope.identity(true)],
      ["an adjuster", () => scope.adjust(() => undefined)],
      ["an order of tools", () => scope.toolOrder([])],
      ["a restriction", () => scope.restrict({})],
      ["a permission", () => scope.permit([])],
    ];
    for (const [what, use] of uses)
      expect(use).toThrow(refused("scope_disposed", `scope "s" is disposed; ${what} needs one that is not`));
  });
});
