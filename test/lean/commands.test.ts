import { describe, expect, it } from "vitest";
import { readCommands } from "../../src/lean/commands.ts";
import { type CommandOptions, readCommand } from "../../src/registry/command.ts";

const audit = { tools: ["audit"], pins: { audit: { report_only: true } } };
const given: readonly CommandOptions[] = [
  {
    name: "Review",
    tools: ["review"],
    cases: [
      { flags: ["--quick"], ...audit },
      { flags: ["--lint"], path: true, question: true, tools: ["audit", "review", "lint"] },
    ],
  },
  { name: "audit", ...audit, withhold: ["review"] },
  { name: "remediate", tools: ["audit", "fix"], lifts: ["audit"] },
];
const commands = new Map(given.map(readCommand).map((command) => [command.name, command]));
const tools = (text: string): readonly string[] => readCommands(text, commands).tools;

describe("a slash command", () => {
  it.each(["/review", "/Review.", "(/REVIEW)", "please /review, thanks", "[/review]!", "a\n/review", "/review?"])(
    "T5 counts as a whole token, in any case, with punctuation and brackets: %j",
    (text) => expect(tools(text)).toEqual(["review"]),
  );

  it.each([
    "see /home/me/reviews/rnaseq",
    "/x/review",
    "/reviews",
    "/review/x",
    "a/review",
    '"/review"',
    "`/review`",
    "https://x.org/review",
    "/ review",
    "-/review",
    "</review>",
    "/constructor /__proto__",
  ])("T5 is nothing inside a path or another word: %j", (text) => expect(tools(text)).toEqual([]));

  it.each([
    ["/review --quick", ["audit"]],
    ["/review --QUICK=1, please", ["audit"]],
    ["/review --lint", ["audit", "review", "lint"]],
    ["/review /home/me/rnaseq", ["audit", "review", "lint"]],
    ["/review ./main.nf", ["audit", "review", "lint"]],
    ["/review src/main.nf", ["audit", "review", "lint"]],
    ["/review is this right?", ["audit", "review", "lint"]],
    ["/review (is this right?)", ["audit", "review", "lint"]],
    ["is this right? /review", ["review"]],
    ["/review this and/or that, w/o haste", ["review"]],
    ["/review https://x.org/a/b/c?d", ["review"]],
    ["/review --quickly", ["review"]],
    ["/remediate --lint why? /review", ["audit", "fix", "review"]],
  ])("T5 has the set that its flags, a path or a question choose: %j", (text, expected) =>
    expect(tools(text)).toEqual(expected),
  );

  it("T5 pins arguments unless another typed command lifts the pin", () => {
    const pin = { tool: "audit", argument: "report_only", value: true, by: "/audit", liftedBy: ["/remediate"] };
    expect(readCommands("/audit", commands)).toEqual({ tools: ["audit"], withheld: ["review"], pins: [pin] });
    expect(readCommands("/audit and /remediate", commands).pins).toEqual([]);
    expect(readCommands("/review --quick", commands).pins).toEqual([{ ...pin, by: "/review" }]);
  });

  it("T5 a definition that cannot hold is refused", () => {
    const refusals = [
      [{ name: "/x", tools: [] }, 'the name of a command is of letters, digits, _ and -, without the slash, got "/x"'],
      [{ name: "x" }, 'command "/x" needs tools, an array of names'],
      [
        { name: "x", tools: [], cases: [{ tools: [] }] },
        'command "/x", case 1 needs flags, path or question, or it would never hold',
      ],
      [
        { name: "x", tools: [], cases: [{ tools: [], flags: ["lint"] }] },
        'command "/x", case 1: a flag is written as --name, got "lint"',
      ],
      [{ name: "x", tools: [], pins: { a: 1 } }, 'command "/x": pins of "a" must be an object of arguments, got 1'],
    ] as const;
    for (const [command, message] of refusals)
      expect(() => readCommand(command as unknown as CommandOptions)).toThrow(message);
  });
});

it("T5 a text of any length and shape is read in time that grows with it", () => {
  const long = 200_000;
  for (const text of [
    ".".repeat(long),
    `${"(".repeat(long)}/review`,
    `/review ${"a/".repeat(long)}`,
    "/".repeat(long),
    `/review ${`x${".".repeat(900)}x `.repeat(1_000)}`,
  ]) {
    expect(tools(text).length).toBeLessThanOrEqual(1);
  }
});
