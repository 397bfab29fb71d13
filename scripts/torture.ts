// npm run torture -- --seconds N [--store sqlite|postgres] [--seed S]
// Hosts and sandbox processes are killed at random moments while programs write into a ledger outside; at the end one host
// brings every run to its end, and the records have to tell what is in the ledger. Ends with 1 where they do not.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Heard, type Host, startHost } from "./torture/hosts.ts";
import { random } from "./torture/random.ts";
import { dropStore, openStore } from "./torture/store.ts";
import { verdictOf } from "./torture/verdict.ts";

const drainMs = 120_000;
const shown = 20;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    store: { type: "string", default: "sqlite" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    keep: { type: "boolean", default: false },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
if (process.platform !== "linux") throw new Error("processes are found in /proc, which is Linux");
if (!(seconds > 0) || !Number.isInteger(seed)) throw new Error("--seconds is a number over 0, and --seed an integer");
if (values.store !== "sqlite" && values.store !== "postgres") throw new Error("--store is sqlite or postgres");

const below = random(seed);
const folder = mkdtempSync(join(tmpdir(), "codecall-torture-"));
const ledger = join(folder, "ledger.jsonl");
const where =
  values.store === "sqlite" ? `sqlite:${join(folder, "runs.db")}` : `postgres:torture_${process.pid}_${Date.now()}`;
const heard: Heard = { ended: [], wrong: [] };
const killed = { hosts: 0, sandboxes: 0, paused: 0 };
let hosts = 0;

const start = (mode: "work" | "drain"): Host => {
  hosts += 1;
  return startHost([where, ledger, `h${hosts}`, String(below(2 ** 30)), mode], heard);
};

/** Lets a host work for so long, and kills its sandbox processes now and then. */
async function live(host: Host, ms: number): Promise<void> {
  for (let left = ms; left > 0;) {
    const next = Math.min(left, 20 + below(400));
    await sleep(next);
    left -= next;
    if (left > 0 && host.killSandbox(below)) killed.sandboxes += 1;
  }
}

async function kill(host: Host): Promise<void> {
  killed.hosts += 1;
  await host.kill();
}

/** Stops a host until others may take over what it does, and lets it go on beside the next. */
async function overtake(host: Host): Promise<Host> {
  host.stop();
  killed.paused += 1;
  const next = start("work");
  await next.up;
  await sleep(below(800));
  host.goOn();
  await live(next, below(600));
  await kill(host);
  return next;
}

async function torture(): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  let host = start("work");
  while (Date.now() < until) {
    // Some do not come so far as to work.
    if (below(10) > 0) await host.up;
    await live(host, 50 + below(1_450));
    if (below(6) === 0) host = await overtake(host);
    else {
      await kill(host);
      host = start("work");
    }
  }
  await kill(host);
}

async function drain(): Promise<void> {
  const host = start("drain");
  const isDrained = await Promise.race([host.drained, sleep(drainMs, false, { ref: false })]);
  if (!isDrained) heard.wrong.push(`the last host did not bring every run to its end within ${drainMs / 1_000} s`);
  await (isDrained ? host.gone() : host.kill());
}

console.log(`${seconds} s on ${values.store}, seed ${seed}`);
await torture();
await drain();
const store = openStore(where);
const { runs, lost, doubled, unknown, wrong } = await verdictOf(store, ledger, heard.ended);
await store.close();
const faults = [...heard.wrong, ...wrong, ...lost, ...doubled];
for (const fault of faults.slice(0, shown)) console.log(fault);
if (faults.length > shown) console.log(`and ${faults.length - shown} more`);
console.log(`killed: ${killed.hosts} hosts, ${killed.sandboxes} sandbox processes; ${killed.paused} hosts overtaken`);
if (values.keep) console.log(`kept: ${where}, ${ledger}`);
else {
  await dropStore(where);
  rmSync(folder, { recursive: true });
}
console.log(
  `runs ${runs} kills ${killed.hosts + killed.sandboxes} lost ${lost.length} doubled ${doubled.length} unknown ${unknown}`,
);
if (faults.length > 0) process.exitCode = 1;
