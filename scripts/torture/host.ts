// A host that goes on with what killed ones left and begins more, until it is killed itself; or one that brings all to its end.
import { setTimeout as sleep } from "node:timers/promises";
import { createDeployment, createRuntime, Fault, type RunResult, type Session } from "codecall";
import { meant, programOf } from "./program.ts";
import { openStore } from "./store.ts";
import { tortureTools } from "./tools.ts";
import { endOf, say } from "./words.ts";

const [where = "", ledger = "", name = "", seed = "0", mode = "work"] = process.argv.slice(2);
const tenant = "torture";
const programsAtOnce = 8;

/** What the death of another process, or its taking a run over, may lead to; the run goes on later or elsewhere. */
const passing: ReadonlySet<string> = new Set([
  "run_claimed",
  "store_fenced",
  "store_locked",
  "store_unavailable",
  "sandbox_crashed",
  "sandbox_unavailable",
]);

const codeOf = (error: unknown): string => (error instanceof Fault ? error.code : "");

const store = openStore(where);
await store.ready();
const deployment = createDeployment({
  logger: {
    warn: () => undefined,
    error(message, data) {
      const cause = data?.cause;
      if (!passing.has(codeOf(cause)) && !/tool "flaky" threw/.test(message))
        say({ kind: "wrong", what: `${message}: ${cause instanceof Error ? cause.stack : String(cause)}` });
    },
  },
});
for (const tool of tortureTools(ledger)) deployment.tool(tool);
const runtime = await createRuntime({ store, check: "off", processes: { warm: 2, max: 6 }, claimMs: 400 });
const agent = await deployment.agent("torture", { form: "code", runtime });
const session: Session = await agent.session("only", { tenant });

async function statusOf(runId: string): Promise<string> {
  try {
    return (await store.load(tenant, runId)).status;
  } catch (error) {
    if (codeOf(error) === "run_not_found") return "unknown";
    throw error;
  }
}

async function hear(run: RunResult): Promise<void> {
  const { runId, status } = run;
  // It may not have ended: another process goes on with it, or this one will.
  if (status === "failed" && passing.has(run.error.code) && (await statusOf(runId)) !== status) return;
  const end = endOf(run);
  if (!end.what.startsWith("store_fenced: ")) say({ kind: "ended", ...end });
  if (status !== "completed" && !passing.has(end.what.split(":")[0] ?? "") && end.what !== `program_error: ${meant}`)
    say({ kind: "wrong", what: `${runId} ended by ${end.what}` });
}

async function attempt(go: () => Promise<RunResult>): Promise<void> {
  try {
    await hear(await go());
  } catch (error) {
    if (!passing.has(codeOf(error))) throw error;
    await sleep(50);
  }
}

async function goOn(runId: string): Promise<void> {
  while ((await statusOf(runId)) === "running") await attempt(() => session.resume(runId));
}

const listed = async (status?: "running"): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let before: { at: number; runId: string } | undefined; ;) {
    const page = await store.list({ tenant, limit: 1_000, status, before });
    ids.push(...page.map(({ runId }) => runId));
    before = page.at(-1);
    if (page.length < 1_000) return ids;
  }
};

async function work(worker: number): Promise<void> {
  for (let n = worker; ; n += programsAtOnce) {
    const program = programOf(`${name}-${n}`, Number(seed) + n);
    await attempt(async () => {
      using turn = session.turn();
      return await turn.run(program);
    });
  }
}

process.on("unhandledRejection", (error) => {
  say({ kind: "wrong", what: `not handled: ${error instanceof Error ? error.stack : String(error)}` });
});
say({ kind: "up" });
try {
  const left = (await listed("running")).map(goOn);
  if (mode === "work") await Promise.all([...left, ...Array.from({ length: programsAtOnce }, (_, n) => work(n))]);
  await Promise.all(left);
  // A run that has ended is told again, and nothing runs.
  for (const runId of await listed()) await hear(await session.resume(runId));
} catch (error) {
  say({ kind: "wrong", what: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
await session[Symbol.asyncDispose]();
await runtime.close();
await store.close();
say({ kind: "drained" });
