import { describe, expect, it } from "vitest";
import { checkContract, renderReport } from "../scripts/contract.ts";

const contract = "# Promises\n\n- **X1** It runs.\n- **X2** It is alone.\n- **C1** One list.\n";
const check = (...tests: string[]): readonly string[] =>
  checkContract(contract, new Map([["test/a.test.ts", tests.join("\n")]])).problems;

const all = 'it("X1 X2 C1 all of it", () => {});';

describe("the check of the contract", () => {
  it("R1 a contract whose behaviours all have a test is accepted and counted by group", () => {
    const report = checkContract(contract, new Map([["test/a.test.ts", `${all}\ntest("X1 more", () => {});`]]));
    expect(report.problems).toEqual([]);
    expect([...report.proofs]).toEqual([
      ["X1", 2],
      ["X2", 1],
      ["C1", 1],
    ]);
    expect(renderReport(report)).toBe(
      "X    2 behaviours     3 titles\nC    1 behaviours     1 titles\n3 behaviours, 2 tests",
    );
  });

  it("R1 a behaviour without a test is a problem", () => {
    expect(check('it("X1 runs", () => {});', 'it("C1 one list", () => {});')).toEqual([
      "docs/contract.md: no test proves X2",
    ]);
  });

  it("R1 a skipped or planned test proves nothing", () => {
    expect(check('it.skip("X1 X2 runs", () => {});', 'it.todo("C1 later");')).toEqual([
      "docs/contract.md: no test proves X1",
      "docs/contract.md: no test proves X2",
      "docs/contract.md: no test proves C1",
    ]);
  });

  it("R1 a number that the contract does not hold is a problem", () => {
    expect(check(all, 'it("X1 X3 runs", () => {});')).toEqual(["test/a.test.ts:2: X3 is not in docs/contract.md"]);
  });

  it("R1 a number listed twice, and a bullet without one, are problems", () => {
    const { problems } = checkContract(
      `${contract}- **X1** Again.\n- No number.\n`,
      new Map([["test/a.test.ts", all]]),
    );
    expect(problems).toEqual([
      "docs/contract.md:6: X1 is listed twice",
      'docs/contract.md:7: a behaviour begins with "- **X1** " and a text',
    ]);
  });

  it.each([
    ["no number", 'it("runs", () => {});'],
    ["a number alone", 'it("X1", () => {});'],
    ["a number that is not first", 'it("runs X1", () => {});'],
    ["an expression first", "it(`${name} X1 runs`, () => {});"],
    ["a variable", "it(title, () => {});"],
    ["a row of a table first", 'it.each(rows)("%s runs", () => {});'],
  ])("R1 a title is refused that has %s", (_, test) => {
    expect(check(all, test)).toEqual([
      'test/a.test.ts:2: a title begins, as literal text, with the numbers it proves: "X1 ..."',
    ]);
  });

  it.each([
    ['it.each(rows)("X1 X2 C1 %s", () => {});'],
    ["it.each`a | b`('X1 X2 C1 $a', () => {});"],
    ["it.for(rows)('X1 X2 C1 %s', () => {});"],
    ['it.skipIf(away).each(rows)("X1 X2 C1 %s", () => {});'],
    ['it.runIf(linux)("X1 X2 C1 here", { timeout: 5 }, () => {});'],
    ["it.concurrent(`X1 X2 C1 ${name}`, () => {});"],
    ['it("X1 X2 C1 " + name, () => {});'],
    ['describe("no number", () => { for (const a of b) { it(`X1 X2 C1 ${a}`, () => {}); } });'],
    [`${all}\nexpect(/x/.test("y"), "text").toBe(it);`],
  ])("R1 the title of a test is found in %s", (test) => {
    expect(check(test)).toEqual([]);
  });
});
