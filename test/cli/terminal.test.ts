import { describe, expect, it } from "vitest";
import { createNotes, noteLogger } from "../../src/cli/terminal.ts";

function logged(wording = false): { readonly logger: ReturnType<typeof noteLogger>; readonly text: () => string } {
  let text = "";
  const stream = Object.assign(Object.create(process.stderr) as NodeJS.WriteStream, { isTTY: false });
  const notes = createNotes({ write: (chunk) => (text += chunk), stream });
  return { logger: noteLogger(notes, wording), text: () => text };
}

describe("the host's log", () => {
  it("U1 an entry has its level, its message, the correlation id, and the cause with its stack under it", () => {
    const { logger, text } = logged();
    const cause = new TypeError("my own bug", { cause: new Error("deeper") });
    logger.error('tool "boom" threw', { callId: "run_1.1", correlationId: "1a2b3c4d", cause });
    const lines = text().trimEnd().split("\n");
    expect(lines.slice(0, 2)).toEqual(['error: tool "boom" threw [1a2b3c4d]', "  TypeError: my own bug"]);
    expect(lines[2]).toMatch(/^ {6}at .*terminal\.test\.ts:\d+:\d+/);
    expect(text()).toContain("[cause]: Error: deeper");
    expect(lines.slice(1).every((line) => line.startsWith("  "))).toBe(true);
  });

  it("U1 an entry without a cause is one line", () => {
    const { logger, text } = logged();
    logger.warn("careful", { scope: "deployment" });
    logger.error("broken");
    expect(text()).toBe("warning: careful\nerror: broken\n");
  });

  it.each([
    ["no reason", "  'no reason'\n"],
    [undefined, ""],
    [null, "  null\n"],
    [{ code: 7 }, "  { code: 7 }\n"],
  ])("U1 the cause %j is shown as it is", (cause, shown) => {
    const { logger, text } = logged();
    logger.error("threw", { cause });
    expect(text()).toBe(`error: threw\n${shown}`);
  });

  it("U1 a cause is bounded, and what it holds cannot steer the terminal or run", () => {
    const { logger, text } = logged();
    const cause = Object.assign(new Error(`\u001B[2J${"line\n".repeat(5_000)}`), {
      toString: () => expect.fail("it ran"),
    });
    logger.error("x".repeat(10_000), { cause });
    const [first = "", ...rest] = text().trimEnd().split("\n");
    expect(first).toBe(`error: ${"x".repeat(4_000)}… (10000 characters)`);
    expect(rest).toHaveLength(31);
    expect(rest.at(-1)).toMatch(/^ {2}… \d+ more lines$/);
    expect(text()).not.toContain("\u001B");
  });

  it("U1 U1 what concerns only the wording of tools is kept for those who ask for it", () => {
    const warn = (wording: boolean): string => {
      const { logger, text } = logged(wording);
      logger.warn("says nothing of what it returns", { kind: "description" });
      return text();
    };
    expect([warn(false), warn(true)]).toEqual(["", "warning: says nothing of what it returns\n"]);
  });
});

it("U1 notes are coloured by us alone, where the terminal wants it", () => {
  let text = "";
  const write = (chunk: string): unknown => (text += chunk);
  const stream = Object.assign(Object.create(process.stderr) as NodeJS.WriteStream, {
    isTTY: true,
    getColorDepth: () => 8,
  });
  const before = process.env.NO_COLOR;
  const force = process.env.FORCE_COLOR;
  delete process.env.NO_COLOR;
  process.env.FORCE_COLOR = "1";
  createNotes({ write, stream }).fail("\u001B[2Jno", "do \u009B31mthis");
  if (before !== undefined) process.env.NO_COLOR = before;
  if (force === undefined) delete process.env.FORCE_COLOR;
  else process.env.FORCE_COLOR = force;
  expect(text).toBe("\u001B[31merror: no\u001B[39m\nhint: do this\n");
});
