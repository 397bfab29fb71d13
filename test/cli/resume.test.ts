import { expect, it } from "vitest";
import { readAnswers } from "../../src/cli/resume.ts";
import { fromJsonl, type RunResult, sqliteStore } from "../../src/index.ts";
import { cli, type Finished, folderWith } from "./cli.ts";

const tools = `import { appendFileSync } from "node:fs";
const object = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
export default [
  { name: "look", description: "Returns a number", inputSchema: object, effects: ["read"], execute: ({ n }) => n },
  { name: "pay", description: "Pays, and returns what was paid", inputSchema: object, effects: ["write"],
    execute({ n }) { appendFileSync(new URL("paid.txt", import.meta.url), n + "\\n"); return { paid: n }; } },
];`;
const policy = `export default ({ name }) => name === "pay" ? "ask" : "allow";`;
const program = `const seen = await tools.look({ n: 5 });
const paid = await tools.pay({ n: seen }).catch((error) => error.message);
return paid;`;

function configured(more: object = {}) {
  const at = folderWith({
    "tools.ts": tools,
    "policy.ts": policy,
    "codecall.json": { tools: "./tools.ts", policy: "./policy.ts", store: "sqlite:runs.db", ...more },
    "program.ts": program,
    "paid.txt": "",
  });
  return { at, config: at("codecall.json") };
}

async function suspended() {
  const { at, config } = configured();
  const run = await cli(["run", at("program.ts"), "--config", config, "--json"]);
  const result = JSON.parse(run.stdout) as RunResult & { status: "suspended" };
  return { at, config, run, result, callId: result.pending[0]?.callId ?? "" };
}

const codes = (list: readonly Finished[]): readonly (number | null)[] => list.map(({ code }) => code);

it("U1 G11 run ends with 3 where a person is asked and says how to go on; resume goes on in another process, once", async () => {
  const { config, run, result, callId } = await suspended();
  expect(run.code).toBe(3);
  expect(run.left).toEqual([]);
  expect(run.stderr).toContain(`- ${callId} pay({"n":5}): `);
  const line = `codecall resume ${result.runId} --config ${JSON.stringify(config)} --answer ${callId}=allow`;
  expect(run.stderr).toContain(line);
  const still = await cli(["resume", result.runId, "--config", config]);
  expect(still.code).toBe(3);
  const went = await cli(["resume", result.runId, "--config", config, "--answer", `${callId}=allow`]);
  expect(went).toMatchObject({ code: 0, stdout: '{\n  "paid": 5\n}\n' });
  const again = await cli(["resume", result.runId, "--config", config, "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ status: "completed", value: { paid: 5 } });
  const { readFileSync } = await import("node:fs");
  expect(readFileSync(config.replace("codecall.json", "paid.txt"), "utf8")).toBe("5\n");
}, 60_000);

it("U1 G11 approve writes the answer and runs nothing; the first one stands; resume then needs none", async () => {
  const { at, config, result, callId } = await suspended();
  const store = `sqlite:${at("runs.db")}`;
  const denied = await cli([
    "approve",
    result.runId,
    callId,
    "deny",
    "--store",
    store,
    "--reason",
    "too much",
    "--by",
    "Mara",
  ]);
  const second = await cli(["approve", result.runId, callId, "allow", "--config", config]);
  expect(codes([denied, second])).toEqual([0, 0]);
  expect(denied.stderr).toContain(`answered; to go on: codecall resume ${result.runId}`);
  expect(second.stderr).toContain(`warning: ${callId} had been answered before; the first answer stands`);
  const went = await cli(["resume", result.runId, "--config", config, "--json"]);
  expect(went.code).toBe(0);
  expect(JSON.parse(went.stdout)).toMatchObject({ value: "Mara denied the call: too much" });
  const late = await cli(["approve", result.runId, callId, "allow", "--config", config]);
  expect(late.code).toBe(0);
  expect(late.stderr).toContain("has ended; the answer was not needed");
}, 60_000);

it("U1 J2 records lists runs and calls, and gives the record as lines of JSON", async () => {
  const { at, config, result, callId } = await suspended();
  const store = ["--store", `sqlite:${at("runs.db")}`];
  const [runs, calls, lines, none, other] = await Promise.all([
    cli(["records", ...store]),
    cli(["records", "--config", config, "--run", result.runId]),
    cli(["records", ...store, "--json"]),
    cli(["records", ...store, "--session", "none"]),
    cli(["records", ...store, "--tenant", "other", "--json"]),
  ]);
  expect(codes([runs, calls, lines, none, other])).toEqual([0, 0, 0, 0, 0]);
  const [head, row] = runs.stdout.split("\n");
  expect(head).toMatch(/^RUN +STATUS +SESSION +BEGAN +ENTRIES$/);
  expect(row).toMatch(new RegExp(`^${result.runId} +suspended +command-line +\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z +\\d+$`));
  expect(calls.stdout).toMatch(new RegExp(`^${result.runId}\\.1 +look +ok +none +[\\d.]+$`, "m"));
  expect(calls.stdout).toMatch(new RegExp(`^${callId} +pay +pending +none +0\\.0$`, "m"));
  expect(fromJsonl(lines.stdout)).toEqual(result.calls);
  expect(none.stdout.split("\n")).toHaveLength(2);
  expect(other.stdout).toBe("");
}, 60_000);

it("U1 J9 what cannot be resumed, answered or listed says why: usage 2, all else 1", async () => {
  const { at, config, result, callId } = await suspended();
  const plain = folderWith({ "codecall.json": {} })("codecall.json");
  const store = sqliteStore({ path: at("runs.db") });
  const told = await Promise.all([
    cli(["resume", "run_none", "--config", config]),
    cli(["resume", result.runId, "--config", plain]),
    cli(["resume", result.runId, "--config", config, "--answer", "allow"]),
    cli(["resume", result.runId, "--config", config, "--answer", `${callId}=perhaps`]),
    cli(["resume", result.runId, "--config", config, "--answer", `${result.runId}.9=allow`]),
    cli(["approve", result.runId, callId, "perhaps", "--config", config]),
    cli(["approve", result.runId, `${result.runId}.1`, "allow", "--config", config]),
    cli(["records"]),
    cli(["records", "--store", "mysql://me:secret@host"]),
    cli(["records", "--store", `sqlite:${at("tools.ts")}`]),
  ]);
  expect(codes(told)).toEqual([1, 2, 2, 2, 1, 2, 1, 2, 2, 1]);
  expect(told.map(({ stdout }) => stdout).join("")).toBe("");
  expect(told[0]?.stderr).toContain('there is no run "run_none" of tenant "local"');
  expect(told[1]?.stderr).toContain('hint: give it one, as in "store": "sqlite:runs.db"');
  expect(told[2]?.stderr).toContain('--answer is CALLID=allow or CALLID=deny, got "allow"');
  expect(told[6]?.stderr).toContain(`these calls wait for one: ${callId} (pay)`);
  expect(told[8]?.stderr).not.toContain("secret");
  await store.claim("local", result.runId, { owner: "another", ttlMs: 60_000, now: Date.now() });
  await store.close();
  const held = await cli(["resume", result.runId, "--config", config]);
  expect(held.code).toBe(1);
  expect(held.stderr).toContain('is held by "another"');
}, 60_000);

it("U1 a store in the configuration has to be one", async () => {
  const config = folderWith({ "codecall.json": { store: "runs.db" } })("codecall.json");
  const run = await cli(["run", "-", "--config", config], "return 1");
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('store: it is neither "sqlite:" and a path nor "postgres://" and an address');
});

it("U1 answers are read from text: allow, deny, or an object", () => {
  expect(readAnswers(["a.1=allow", "a.2=deny", 'a.3={"verdict":"edit","args":{"n":1}}'])).toEqual({
    "a.1": "allow",
    "a.2": "deny",
    "a.3": { verdict: "edit", args: { n: 1 } },
  });
  expect(() => readAnswers(["a.1=allow", "a.1=deny"])).toThrow("--answer is given twice for a.1");
  expect(() => readAnswers(['a.1={"verdict"'])).toThrow(/an answer is allow, deny or an object as JSON/);
});
