import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RunEvent, ToolError, toJsonl } from "../../src/index.ts";
import { createRedactor, redacted } from "../../src/redact.ts";
import { tool } from "./fixture.ts";
import { tenant, useHosts } from "./stored.ts";

const secret = 'tok_"quoted"_42';
const hosts = useHosts();
const tools = [
  tool("read", (args) => ({ args, token: secret }), { effects: ["read"] }),
  tool("fail", () => {
    throw new ToolError(`the server does not know ${secret}`, { details: { header: `Bearer ${secret}` } });
  }),
  tool("crash", () => {
    throw new Error(`cannot log in with ${secret}`);
  }),
];

const has = (text: string): boolean => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1));

describe("secrets that the host marks", () => {
  it("J8 C13 are in no record, log, error, event or text for the model; the value and the journal have them", async () => {
    const logged: unknown[] = [];
    const note = (...given: unknown[]): void => void logged.push(...given.map((one) => JSON.stringify(told(one))));
    const agent = await hosts.agent("first", tools, { secrets: [secret], logger: { warn: note, error: note } });
    await using session = await agent.session("chat", { tenant });
    const turn = session.turn();
    const events: RunEvent[] = [];
    const hearing = (async () => {
      for await (const event of turn.events) events.push(event);
    })();
    const run = await turn.run(
      `const read = await tools.read({ of: ${JSON.stringify(secret)} });
       console.log(read.token);
       const failed = await tools.fail().catch((error) => [error.message, error.details]);
       await tools.crash().catch(() => 0);
       return { read, failed }`,
    );
    const block = await turn.dispatch([
      { id: "1", name: "read", input: { of: secret } },
      { id: "2", name: "fail", input: {} },
    ]);
    const thrown = await turn.run(`throw new Error(${JSON.stringify(secret)})`);
    turn[Symbol.dispose]();
    await hearing;
    expect(run).toMatchObject({
      status: "completed",
      value: {
        read: { token: secret },
        failed: [`the server does not know ${redacted}`, { header: `Bearer ${redacted}` }],
      },
    });
    expect(run.calls[0]?.args).toEqual({ of: redacted });
    const contents = block.results.map(({ content }) => content);
    expect(contents[0]).toBe(`{"args":{"of":"${redacted}"},"token":"${redacted}"}`);
    expect(thrown).toMatchObject({ status: "failed", error: { message: redacted } });
    const tellings = [
      run.toModel(),
      JSON.stringify(run.console),
      thrown.toModel(),
      JSON.stringify(thrown),
      ...contents,
      toJsonl(session.record()),
      JSON.stringify(events),
      ...logged.map(String),
    ];
    expect(tellings.filter(has)).toEqual([]);
    expect(tellings.join("\n")).toContain(redacted);
    expect(events.length).toBeGreaterThan(5);
    expect(logged.length).toBeGreaterThan(0);
    const kept = (await hosts.store.load(tenant, run.runId)).entries.join("\n");
    expect(has(kept)).toBe(true);
  });

  it("J8 may be those of the moment, and a function that fails makes nothing known", async () => {
    let now: () => readonly string[] = () => ["first one"];
    const redactor = createRedactor(() => now());
    expect(redactor?.text("the first one, the second one")).toBe(`the ${redacted}, the second one`);
    now = () => ["second one"];
    expect(redactor?.text("the first one, the second one")).toBe(`the first one, the ${redacted}`);
    now = () => {
      throw new Error("the vault is closed");
    };
    expect(redactor?.text("the second one")).toBe(`the ${redacted}`);
  });

  it("J8 are found wherever they stand, in keys and behind others, and nothing else changes", () => {
    const redactor = createRedactor(["aaaa", "aaaabbbb"]);
    expect(redactor?.value({ aaaabbbb: ["x aaaabbbb", { aaaa: 1 }] })).toEqual({
      [redacted]: [`x ${redacted}`, { [redacted]: 1 }],
    });
    const date = new Date(0);
    const untouched = { date, list: [1, "aaa"] };
    expect(redactor?.value(untouched)).toBe(untouched);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(createRedactor(["~never there~"])?.value(value)).toBe(value);
      }),
    );
  });

  it.each([[["abc"]], [[""]], [[5]], ["text"]])("J8 %j is no list of secrets", (given) => {
    expect(() => createRedactor(given as string[])).toThrow(/secret/);
  });
});

function told(value: unknown): unknown {
  if (value instanceof Error) return [value.message, value.stack, told(value.cause)];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, told(field)]));
}
