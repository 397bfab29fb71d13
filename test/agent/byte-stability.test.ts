import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createDeployment, type Scope } from "../../src/index.ts";
import { tool } from "./fixture.ts";

const toolNames = ["a", "b-c", "b_d", "d", "e-f", "g"];

const register = (scope: Scope, name: string, text = "Returns something"): Disposable =>
  scope.tool(
    tool(name, () => null, {
      description: `${text}, "${name}".`,
      inputSchema: { type: "object", properties: { [`of_${name}`]: { type: "string" } } },
    }),
  );

interface Shown {
  /** What the model is sent of the tools, in both ways. */
  readonly direct: string;
  readonly code: string;
  /** Each tool's own part of it, in order. */
  readonly each: readonly string[];
}

async function show(scope: Scope): Promise<Shown> {
  const { tools, declarations } = (await scope.agent("a")).surface();
  const accessors = new Map(scope.surface().tools.map(({ providerName, alias }) => [providerName, alias]));
  const each = tools.map((one) => JSON.stringify([accessors.get(one.name), one]));
  return { direct: JSON.stringify(tools), code: declarations, each };
}

/** What the first of these tools look like where there are no others. */
async function showFirst(of: Scope, count: number): Promise<Shown> {
  const alone = of.scope("first");
  alone.permit(
    (await of.agent("a"))
      .surface()
      .tools.slice(0, count)
      .map(({ name }) => name),
  );
  const shown = await show(alone);
  alone[Symbol.dispose]();
  return shown;
}

const withoutEnd = (text: string, end: string): string => {
  expect(text.endsWith(end)).toBe(true);
  return text.slice(0, -end.length);
};

it("F7 a change to the tools or their order changes no byte before the first description that differs", async () => {
  const change = fc.oneof(
    fc.record({ name: fc.constantFrom(...toolNames), text: fc.constantFrom("Returns one", "Returns two") }),
    fc.record({ order: fc.uniqueArray(fc.constantFrom(...toolNames), { maxLength: 3 }) }),
    fc.record({ deny: fc.constantFrom("b*", "a", "*-*") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
      const deployment = createDeployment();
      const wide = new Map(["a", "d", "g"].map((name) => [name, register(deployment, name)]));
      let scope = deployment.scope("s");
      let order: Disposable | undefined;
      let before = await show(scope);
      for (const one of changes) {
        if ("name" in one) {
          wide.get(one.name)?.[Symbol.dispose]();
          wide.set(one.name, register(deployment, one.name, one.text));
        } else if ("order" in one) {
          order?.[Symbol.dispose]();
          const registered = one.order.filter((name) => wide.has(name));
          order = deployment.toolOrder([...registered, "<unlisted-tools>"]);
        } else {
          scope = scope.scope("t");
          scope.restrict({ deny: [one.deny] });
        }
        const after = await show(scope);
        const differs = after.each.findIndex((text, index) => text !== before.each[index]);
        const same = differs < 0 ? Math.min(after.each.length, before.each.length) : differs;
        const first = await showFirst(scope, same);
        expect(first.each).toEqual(after.each.slice(0, same));
        for (const shown of [before, after]) {
          expect(shown.direct.startsWith(withoutEnd(first.direct, "]"))).toBe(true);
          expect(shown.code.startsWith(withoutEnd(first.code, "};\n"))).toBe(true);
        }
        before = after;
      }
    }),
    { numRuns: 40 },
  );
});

it("F4 F7 what nothing visible changes leaves every byte", async () => {
  const deployment = createDeployment();
  for (const name of toolNames) register(deployment, name);
  const support = deployment.scope("support");
  const before = await show(support);
  const changes: readonly (() => Disposable)[] = [
    () => deployment.guard("g", () => "no"),
    () => support.policy(() => "ask"),
    () => support.section({ name: "s", order: 1, text: "s" }),
    () => support.context({ name: "c", text: "c" }),
    () => support.permit(toolNames),
    () => deployment.scope("sibling").tool(tool("other", () => null)),
    () => support.tool(tool("off", () => null, { enabled: false })),
  ];
  for (const apply of changes) {
    const applied = apply();
    expect(await show(support)).toEqual(before);
    applied[Symbol.dispose]();
    expect(await show(support)).toEqual(before);
  }
  const again = register(support, "a");
  expect(await show(support)).toEqual(before);
  again[Symbol.dispose]();
});
