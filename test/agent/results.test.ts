import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createDeployment, outcome, type RunResult, type Session, type ToolContext } from "../../src/index.ts";
import { tool, useRuntime } from "./fixture.ts";

const fixture = useRuntime({ returnBytes: 12_000, resultBytes: 20_000 });

const bytes = new TextEncoder().encode("picture");
const hash = `sha256-${createHash("sha256").update(bytes).digest("hex")}`;
const tools = [
  tool("picture", (_args: unknown, context: ToolContext) => context.reference({ type: "image/png", bytes }), {
    effects: [],
  }),
  tool("chart", () => outcome({ structuredContent: { points: 3 }, references: [{ type: "image/png", bytes }] }), {
    effects: [],
  }),
  tool("rows", () => Array.from({ length: 3_000 }, (_, id) => ({ id })), { effects: [] }),
  tool("bad", (_args: unknown, context: ToolContext) => context.reference({ type: "", bytes }), { effects: [] }),
];

const session = async (tenant = "acme"): Promise<Session> => (await fixture.agent(tools)).session("chat", { tenant });
const run = (one: Session, code: string): Promise<RunResult> => one.turn().run(code);

async function value(one: Session, code: string): Promise<unknown> {
  const result = await run(one, code);
  if (result.status !== "completed") throw new Error(JSON.stringify(result));
  return result.value;
}

function referenceOf(result: RunResult): { readonly ref: string; readonly bytes: number } {
  if (result.status !== "completed" || result.reference === undefined) throw new Error("there is no reference");
  return result.reference;
}

const caught = (code: string): string =>
  `try { return await (async () => { ${code} })() } catch (error) { return [error.code, error.message, error.tool, error.hint ?? null] }`;

describe("results.get", () => {
  it("X10 C15 pages through a value that was too large to hand over, in a later program", async () => {
    await using one = await session();
    const first = await run(one, "return { rows: Array.from({ length: 1200 }, (_, id) => ({ id })), note: 'all' }");
    const { ref, bytes: size } = referenceOf(first);
    const whole = { rows: Array.from({ length: 1200 }, (_, id) => ({ id })), note: "all" };
    expect(first).toMatchObject({
      truncated: { bytes: JSON.stringify(whole).length },
      reference: { type: "application/json", bytes: JSON.stringify(whole).length },
    });
    expect(size).toBe(JSON.stringify(whole).length);
    expect(first.toModel()).toContain(
      `results.get("${ref}", { path, offset, limit }) in the next program reads the rest`,
    );
    expect(await value(one, `return await results.get("${ref}", { path: "rows", offset: 1198 })`)).toEqual([
      { id: 1198 },
      { id: 1199 },
    ]);
    expect(await value(one, `return (await results.get("${ref}")).rows.length`)).toBe(1200);
    expect(await value(one, `return await results.get({ ref: "${ref}" }, { path: "$.note" })`)).toBe("all");
    expect(await value(one, `return await results.get("${ref}", { path: "/rows/7/id" })`)).toBe(7);
  });

  it("X10 a value that only a model is shown shortened has a reference too, a small one has none", async () => {
    const agent = await fixture.agent();
    await using one = await agent.session("chat");
    expect(await run(one, "return 'x'.repeat(100)")).not.toHaveProperty("reference");
    const shortened = await run(one, "return 'x'.repeat(9000)");
    expect(shortened).not.toHaveProperty("truncated");
    expect(shortened.toModel()).not.toContain("results.get");
    expect(shortened.toModel({ maxTokens: 500 })).toContain(`results.get("${referenceOf(shortened).ref}"`);
    expect(await fixture.run("return Array.from({ length: 3000 }, (_, n) => n)")).not.toHaveProperty("reference");
  });

  it("X10 J1 is a call of its own, with its entry in the record, its errors those of any call", async () => {
    await using one = await session();
    const { ref } = referenceOf(await run(one, "return Array.from({ length: 3000 }, (_, n) => n)"));
    const result = await run(one, `return await results.get("${ref}", { limit: 1 })`);
    expect(result.calls).toMatchObject([
      {
        tool: "results.get",
        source: "deployment/codecall",
        caller: "program",
        args: { ref, limit: 1 },
        status: "ok",
        effect: "none",
      },
    ]);
    expect(await value(one, caught(`return await results.get("${ref}", { path: "x" })`))).toEqual([
      "path_not_found",
      'there is no "x" at $: there is an array of 3000 items',
      "results.get",
      null,
    ]);
    expect(await value(one, caught(`return await results.get("${ref}", { start: 1 })`))).toEqual([
      "arguments_invalid",
      expect.stringMatching(/^results\.get was called with arguments that do not match its input: /),
      "results.get",
      null,
    ]);
    expect(await value(one, caught("return await results.get(5)"))).toMatchObject({ 0: "arguments_invalid" });
    expect(await value(one, caught(`return await tools["results" + ".get"]({ ref: "${ref}" })`))).toMatchObject({
      0: "tool_not_offered",
    });
  });

  it("C15 an id is of use in its own session alone, and another one is told like one that never was", async () => {
    await using one = await session();
    await using twin = await session();
    await using other = await session("globex");
    const { ref } = referenceOf(await run(one, "return Array.from({ length: 3000 }, (_, n) => n)"));
    for (const [where, id] of [
      [twin, ref],
      [other, ref],
      [one, "ref_made-up"],
    ] as const) {
      expect(await value(where, caught(`return await results.get(${JSON.stringify(id)})`))).toEqual([
        "reference_unknown",
        `this session has no reference "${id}"`,
        "results.get",
        "take the ref from a result of this conversation, as it is",
      ]);
      if (where !== one) expect(() => where.reference(id)).toThrow(`this session has no reference "${id}"`);
    }
  });

  it("C10 C15 a tool's result that is over its limit is read in parts through the reference of its error", async () => {
    await using one = await session();
    const code = `try { await tools.rows({}) } catch (error) {
      const { reference, preview } = error.details;
      const pages = [];
      for (let offset = 0; ; offset += 1000) {
        const page = await results.get(reference, { offset, limit: 1000 });
        if (page.length === 0) break;
        pages.push(...page);
      }
      return [error.code, preview[0].id, pages.length, pages.at(-1).id, reference.type];
    }`;
    expect(await value(one, code)).toEqual(["result_too_large", 0, 3_000, 2_999, "application/json"]);
    const whole = "try { await tools.rows({}) } catch (error) { return await results.get(error.details.reference) }";
    expect(await run(one, whole)).toMatchObject({
      error: { code: "program_error", message: "results.get ran, but its result is over 20000 bytes of JSON" },
    });
  });
});

describe("show", () => {
  it("X10 C15 hands an image on: the run names it, the record has the call, the session the bytes", async () => {
    await using one = await session();
    const result = await run(one, "const picture = await tools.picture({}); await show(picture); return picture");
    const reference = { ref: expect.stringMatching(/^ref_/) as string, type: "image/png", bytes: 7, hash };
    expect(result).toMatchObject({ status: "completed", value: reference, shown: [reference] });
    expect(result.calls).toMatchObject([{ tool: "picture" }, { tool: "show", status: "ok", effect: "none" }]);
    const [shown] = result.shown;
    expect(result.toModel()).toContain(`Shown: ${shown?.ref} (image/png, 7 bytes)`);
    expect(one.reference(shown?.ref ?? "")).toEqual({ type: "image/png", bytes });
    expect(await value(one, `return await results.get("${shown?.ref}")`)).toBe(Buffer.from(bytes).toString("base64"));
    expect(await value(one, caught("return await show('ref_no')"))).toMatchObject({ 0: "reference_unknown" });
  });

  it("C8 C15 references beside a structured value are told of, as a program does not see them", async () => {
    await using one = await session();
    const result = await run(one, "return await tools.chart({})");
    expect(result).toMatchObject({ value: { points: 3 }, shown: [] });
    const told = /^chart also gave (ref_[\w-]{22}) \(image\/png, 7 bytes\); show\(ref\) in a program hands it on$/.exec(
      result.warnings[0] ?? "",
    );
    expect(await run(one, `await show("${told?.[1]}")`)).toMatchObject({ shown: [{ type: "image/png", bytes: 7 }] });
  });

  it("C15 what is no bytes with a type is the tool's own fault", async () => {
    await using one = await session();
    expect(await value(one, caught("return await tools.bad({})"))).toMatchObject({ 0: "internal_error" });
  });
});

it("C15 X10 a direct call's result that is shown shortened can be read on with a program, where there are programs", async () => {
  const deployment = createDeployment();
  for (const one of tools) deployment.tool(one);
  deployment.tool(tool("list", () => Array.from({ length: 500 }, (_, id) => id), { effects: [] }));
  const both = await deployment.agent("both", { form: "both", runtime: fixture.runtime });
  await using one = await both.session("chat");
  const use = { id: "t1", name: "list", input: {} };
  const [answer] = (await one.turn().dispatch([use], { maxTokens: 20 })).results;
  const ref = /results\.get\("(ref_[^"]+)", \{ path, offset, limit \}\) in a program reads the rest\)$/.exec(
    answer?.content ?? "",
  )?.[1];
  expect(await value(one, `return await results.get("${ref}", { offset: 499 })`)).toEqual([499]);
  const direct = await deployment.agent("direct", { form: "direct" });
  await using plain = await direct.session("chat");
  expect((await plain.turn().dispatch([use], { maxTokens: 20 })).results[0]?.content).not.toContain("results.get");
});
