import { describe, expect, it, vi } from "vitest";
import fc from "fast-check";
import type { Scope } from "../../../src/index.ts";
import { readTemplate } from "../../../src/prompt/variables.ts";
import { addTool, deploy, promptOf, textOf, whenLate } from "./fixture.ts";

const sectionOf = (text: string) => {
  const { deployment } = deploy();
  deployment.section({ name: "intro", order: 10, text });
  return deployment;
};

describe("variables", () => {
  it("P10 are filled in: the request's own and registered ones, taken anew for each request, the nearest scope's", async () => {
    const deployment = sectionOf("{{model}} in {{working_folder}} for {{team}}, {{count}}{{count}}");
    let count = 0;
    deployment.variable("team", "everyone");
    deployment.variable("count", async ({ turn }) => `${turn}-${++count}`);
    const narrow = deployment.scope("narrow");
    narrow.variable("team", ({ tenant }) => tenant);
    const request = { model: "m-1", workingFolder: "/w" };
    expect(await textOf(deployment, request)).toBe("m-1 in /w for everyone, 1-11-1");
    expect(await textOf(narrow, { ...request, model: "m-2" })).toBe("m-2 in /w for acme, 1-21-2");
  });

  it("P10 are the only syntax: JSON and code stay as they are", async () => {
    const deployment = sectionOf('Return {"a": {"b": 1}} and {{model}}; `${x}` {model} {{ is open');
    expect(await textOf(deployment, { model: "m" })).toBe('Return {"a": {"b": 1}} and m; `${x}` {model} {{ is open');
  });

  it("P10 are not read again in a value, whatever it holds", async () => {
    const deployment = sectionOf("a{{one}}b{{two}}c");
    deployment.variable("one", "{{two}} }} {{ $& $1");
    deployment.variable("two", "{{");
    expect(await textOf(deployment)).toBe("a{{two}} }} {{ $& $1b{{c");
  });

  it("P10 are filled in the identity line and the persona too, not in tool descriptions nor in what feeds the context", async () => {
    const { deployment } = deploy();
    deployment.identity("I am {{model}}.");
    deployment.persona({ prefix: "p {{model}}", suffix: "s {{model}}" });
    deployment.context({ name: "now", text: "c {{ model }}" });
    addTool(deployment, "render", "Returns {{ anything }} filled");
    const { text, context } = await promptOf(deployment, { model: "m" });
    expect(text).toBe("I am m.\n\np m\n\nTools:\n- render: Returns {{ anything }} filled\n\ns m");
    expect(context).toMatch(/\n\nc \{\{ model \}\}$/);
  });

  it("P10 stay in a section that switches filling off", async () => {
    const { deployment } = deploy();
    deployment.section({ name: "raw", order: 10, text: "{{ a }} {{model}} {{}}", fill: false });
    expect(await textOf(deployment)).toBe("{{ a }} {{model}} {{}}");
  });

  it("P10 that no text names are not asked for their value", async () => {
    const deployment = sectionOf("nothing");
    const value = vi.fn<() => string>(() => "x");
    deployment.variable("team", value);
    await textOf(deployment);
    expect(value).not.toHaveBeenCalled();
  });
});

describe("a reference that cannot be filled in", () => {
  const names = "the registered variables are model, team, working_folder";

  it.each([
    ["{{tema}}", `unknown prompt variable "{{tema}}" in section "intro"; ${names}`],
    ["{{constructor}}", `unknown prompt variable "{{constructor}}" in section "intro"; ${names}`],
    ["{{ model }}", `malformed prompt variable "{{ model }}" in section "intro"; ${names}`],
    ["{{Model}}", `malformed prompt variable "{{Model}}" in section "intro"; ${names}`],
    ["{{}}", `malformed prompt variable "{{}}" in section "intro"; ${names}`],
    ["{{a{{model}}}}", `malformed prompt variable "{{a{{model}}" in section "intro"; ${names}`],
    ["{{{model}}}", `malformed prompt variable "{{{model}}" in section "intro"; ${names}`],
    ["{{model\n}}", `malformed prompt variable "{{model\n}}" in section "intro"; ${names}`],
    ["{{1st}}", `malformed prompt variable "{{1st}}" in section "intro"; ${names}`],
    ["{{ open, then {{model}}", `malformed prompt variable "{{ open, then {{model}}" in section "intro"; ${names}`],
    [`{{${"x ".repeat(60)}}}`, `malformed prompt variable "{{${"x ".repeat(49)}…" in section "intro"; ${names}`],
    ["{{model}}", 'prompt variable "{{model}}" has no value for this assembly (section "intro")'],
    ["{{team}}", 'prompt variable "{{team}}" has no value for this assembly (section "intro")'],
  ])("P10 refuses the assembly: %s", async (text, message) => {
    const deployment = sectionOf(`see ${text}`);
    deployment.variable("team", () => undefined);
    await expect(promptOf(deployment)).rejects.toMatchObject({ code: "prompt_invalid", message });
  });

  it.each<[string, object, (scope: Scope, text: string) => unknown]>([
    ['persona suffix "voice"', { suffix: "voice" }, (scope, suffix) => scope.persona({ name: "voice", suffix })],
    ["persona prefix", { prefix: "prefix" }, (scope, prefix) => scope.persona({ prefix })],
    ["the identity line", { identity: "identity" }, (scope, line) => scope.identity(line)],
  ])("P10 P8 is told with the piece that it stands in, and what helps there: %s", async (place, details, register) => {
    const refusal = async (text: string): Promise<unknown> => {
      const { deployment } = deploy();
      register(deployment, text);
      return promptOf(deployment).catch((error: unknown) => error);
    };
    const supplied = "the registered variables are model, working_folder";
    expect(await refusal("{{nobody}}")).toMatchObject({
      message: `unknown prompt variable "{{nobody}}" in ${place}; ${supplied}`,
      hint: "register it with scope.variable",
      details: { ...details, variable: "nobody" },
    });
    expect(await refusal("{{ model }}")).toMatchObject({
      message: `malformed prompt variable "{{ model }}" in ${place}; ${supplied}`,
      hint: "write a reference as {{name}}, of lowercase letters, digits and _, without spaces",
    });
    expect(await refusal("{{model}}")).toMatchObject({
      message: `prompt variable "{{model}}" has no value for this assembly (${place})`,
      hint: "give the turn its model: session.turn({ model })",
      details: { ...details, variable: "model" },
    });
  });

  it("P10 is told with what helps in a section", async () => {
    const refusal = async (text: string): Promise<unknown> => {
      const deployment = sectionOf(text);
      deployment.variable("team", () => undefined);
      return promptOf(deployment).catch((error: unknown) => error);
    };
    const orKeep = "or keep the braces of the section with fill: false";
    expect(await refusal("{{nobody}}")).toMatchObject({
      hint: `register it with scope.variable, ${orKeep}`,
      details: { section: "intro", variable: "nobody" },
    });
    expect(await refusal("{{Team}}")).toMatchObject({
      hint: `write a reference as {{name}}, of lowercase letters, digits and _, without spaces, ${orKeep}`,
    });
    expect(await refusal("{{team}}")).toMatchObject({
      hint: 'have the function of scope.variable("team", ...) give text for this request',
    });
    expect(await refusal("{{working_folder}}")).toMatchObject({
      hint: "give the turn its folder: session.turn({ workingFolder })",
    });
  });

  it("P10 is the first one in the order of the text, before any value is asked for", async () => {
    const { deployment } = deploy();
    const value = vi.fn<() => string>(() => "x");
    deployment.variable("team", value);
    deployment.section({ name: "second", order: 20, text: "{{unknown_b}}" });
    deployment.section({ name: "first", order: 10, text: "{{team}} {{unknown_a}} {{unknown_c}}" });
    await expect(promptOf(deployment)).rejects.toThrow('unknown prompt variable "{{unknown_a}}" in section "first"');
    expect(value).not.toHaveBeenCalled();
  });

  it("P10 names the variable that fails", async () => {
    const deployment = sectionOf("{{team}}");
    deployment.variable("team", () => Promise.reject(new Error("no table")));
    await expect(promptOf(deployment)).rejects.toMatchObject({
      code: "prompt_failed",
      message: 'prompt variable "team" failed: no table',
    });
    const silent = sectionOf("{{team}}");
    silent.variable("team", () => new Promise<string>(() => undefined));
    expect(await whenLate(silent)).toMatchObject({
      refused: { code: "prompt_failed", message: 'prompt variable "team" did not answer within 5000 ms' },
      timers: 0,
    });
  });
});

it("P10 the parts of a template, put together, are its text, and every second one is the name of a variable", () => {
  const registered = new Set(["a", "b1", "c_d"]);
  const place = { kind: "section", name: "s" } as const;
  const piece = fc.oneof(
    fc.constantFrom("{{a}}", "{{b1}}", "{{c_d}}", "{", "}", "}}", "text", " ", "\n"),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      const isStrict = [...text.matchAll(/\{\{(.*?)\}\}/gs)].every(([, name]) => registered.has(name ?? ""));
      if (!isStrict) {
        expect(() => readTemplate(text, place, registered)).toThrow(/^(unknown|malformed) prompt variable/);
        return;
      }
      const parts = readTemplate(text, place, registered);
      expect(parts.map((part, index) => (index % 2 === 0 ? part : `{{${part}}}`)).join("")).toBe(text);
      expect(parts.filter((_, index) => index % 2 === 1)).toEqual(
        [...text.matchAll(/\{\{(.*?)\}\}/gs)].map(([, name]) => name),
      );
    }),
  );
});
