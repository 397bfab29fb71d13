import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDeployment, createRuntime, type RunEvent } from "../../src/index.ts";

const childPath = join(import.meta.dirname, "fixtures/broken-sandbox.ts");

async function answered(lines: string): Promise<{ status: string; code: unknown; events: string[] }> {
  await using runtime = await createRuntime({
    childPath,
    processes: { warm: 1, max: 1 },
    limits: { calls: 2, consoleBytes: 10, returnBytes: 20, stateBytes: 40, wallMs: 5_000 },
  });
  const agent = await createDeployment().agent("test", { form: "code", runtime });
  await using session = await agent.session("chat");
  const turn = session.turn();
  const events: RunEvent[] = [];
  const reading = (async () => {
    for await (const event of turn.events) events.push(event);
  })();
  const run = await turn.run(`return "answer:${Buffer.from(lines).toString("base64")}"`);
  turn[Symbol.dispose]();
  await reading;
  const code = run.status === "failed" ? run.error.code : undefined;
  return {
    status: run.status,
    code,
    events: events.map(({ type }) => type).filter((type) => type.startsWith("program.")),
  };
}

function previewed(json: string, truncation: object, whole = `"${"x".repeat(28)}"`): string {
  const text = JSON.stringify({ bytes: 30, dropped: [{ path: "$", kept: 1, of: 9 }], more: 0, ...truncation });
  return turn(1, `P${text.length},${json.length} ${text}${json}${whole}\n`);
}

const turn = (count: number, lines: string, end = "-"): string => `OPROGRAM 1 ${count} ${end}\n${lines}`;

describe("a sandbox process that is not ours any more", () => {
  it.each([
    ["a value that is no JSON", turn(1, "R {bad\n")],
    ["an empty value", turn(1, "R\n")],
    ["a line that is no message", turn(1, "Z1 2\n")],
    ["a forged ready line", 'R{"node":"v24","v8":"1","bootstrap":"x"}\n'],
    ["another program's turn", "Oother 1 0 -\n"],
    ["noise", "hello\n"],
    ["a value over its limit", turn(1, `R "${"x".repeat(19)}"\n`)],
    ["a preview over the limit", previewed(`"${"x".repeat(19)}"`, {})],
    ["a preview that is no JSON", previewed("[1", {})],
    ["a preview of what has room", previewed("[1]", { bytes: 20 })],
    ["a preview of a size that is none", previewed("[1]", { bytes: -1 })],
    ["a preview without places", previewed("[1]", { dropped: undefined })],
    ["a preview with a place that is none", previewed("[1]", { dropped: [{ path: "$", kept: 1, of: 0.5 }] })],
    ["a preview with more in a place", previewed("[1]", { dropped: [{ path: "$", kept: 1, of: 9, x: 1 }] })],
    ["a preview with too long a path", previewed("[1]", { dropped: [{ path: "x".repeat(401), kept: 1, of: 9 }] })],
    [
      "a preview with too many places",
      previewed("[1]", { dropped: Array.from({ length: 101 }, () => ({ path: "$", kept: 1, of: 9 })) }),
    ],
    ["a preview that is cut short", turn(1, "P900,2 {}\n")],
    ["a preview without its value", previewed("[1]", {}, "")],
    ["a preview of another value", previewed("[1]", {}, `"${"x".repeat(29)}"`)],
    ["a state that is no object", turn(2, "M [1]\nR 1\n")],
    ["a state that is no JSON", turn(2, "M {\nR 1\n")],
    ["a state over its limit", turn(2, `M {"a":"${"x".repeat(50)}"}\nR 1\n`)],
    ["more calls than it may", turn(5, "C1 0 {}\nC2 0 {}\nC3 0 {}\nC4 0 {}\nR 1\n")],
    ["more console than it may", turn(2, 'Llog "0123456789"\nR 1\n')],
    ["a number that is none", turn(1, "T1 99999999999\n")],
  ])("X2 X12 X15 %s ends the program as a broken protocol", async (_what, lines) => {
    expect(await answered(lines)).toEqual({
      status: "failed",
      code: "protocol_violation",
      events: ["program.started", "program.ended"],
    });
  });

  it("X2 X10 a preview within its limit is taken", async () => {
    expect(await answered(previewed("[1]", {}))).toMatchObject({ status: "completed" });
  });

  it("X2 what it may say is taken", async () => {
    expect(await answered(turn(2, 'Llog "123456789"\nR [1]\n'))).toMatchObject({ status: "completed" });
  });
});
