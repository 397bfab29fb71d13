// npm run soak -- [--programs 10000] [--tenants 4] [--concurrency 8] [--write]
// Many programs of all kinds in one runtime; ends with 1 where anything grows or a program ends otherwise than it must.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { descendants } from "../bench/memory.ts";
import { describeMachine, writeSection } from "../bench/section.ts";
import { type Agent, createDeployment, createRuntime } from "../src/index.ts";
import { findGrowth, type Sample, soakHead, soakLine, takeSample } from "./soak/gauge.ts";
import { crashed, endOf, limits, type MixProgram, mixProgram, mixTools, type Services } from "./soak/mix.ts";

interface Options {
  readonly programs: number;
  readonly tenants: number;
  readonly concurrency: number;
  readonly write: boolean;
}

const intervals = 20;
/** Before every process is killed, for those that start to have started. */
const startedMs = 500;

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      programs: { type: "string", default: "10000" },
      tenants: { type: "string", default: "4" },
      concurrency: { type: "string", default: "8" },
      write: { type: "boolean", default: false },
    },
  });
  const [programs, tenants, concurrency] = [values.programs, values.tenants, values.concurrency].map(Number);
  if (process.platform !== "linux") throw new Error("the figures are read from /proc, which is Linux");
  if (globalThis.gc === undefined) throw new Error("run it with node --expose-gc, as npm run soak does");
  if (!programs || !tenants || !concurrency)
    throw new Error("--programs, --tenants and --concurrency are numbers over 0");
  return { programs, tenants, concurrency, write: values.write };
}

/** Kills every sandbox process of this process. */
function killSandboxes(): void {
  for (const pid of descendants(process.pid)) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("sandbox")) process.kill(pid, "SIGKILL");
    } catch {
      // it has ended
    }
  }
}

function createSoak(agent: Agent, tenants: number) {
  const wrong = new Map<string, number>();
  const run = async (program: MixProgram, n: number): Promise<void> => {
    const controller = new AbortController();
    const services: Services = {
      onCall: program === crashed ? killSandboxes : () => controller.abort(new Error("as it must")),
    };
    const result = await agent.run(program.code, {
      tenant: `tenant-${n % tenants}`,
      signal: controller.signal,
      services,
    });
    const end = endOf(result);
    if (program.ends.includes(end)) return;
    const told = `${program.kind} ended in ${end}, not in ${program.ends.join(" or ")}`;
    wrong.set(told, (wrong.get(told) ?? 0) + 1);
  };
  return { run, wrong };
}

async function runInterval(
  soak: ReturnType<typeof createSoak>,
  from: number,
  to: number,
  concurrency: number,
): Promise<void> {
  let next = from;
  const worker = async (): Promise<void> => {
    while (next < to - 1) {
      const n = next++;
      await soak.run(mixProgram(n), n);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  // Alone, as every process dies.
  await sleep(startedMs);
  await soak.run(crashed, to - 1);
}

async function main(): Promise<void> {
  const { programs, tenants, concurrency, write } = readOptions();
  // What a process opens once and keeps is no growth, its output included.
  console.log(soakHead);
  await (await createRuntime({ limits })).close();
  const before = takeSample(0, 0);
  const samples: Sample[] = [];
  const runtime = await createRuntime({ limits, processes: { max: 16 } });
  const deployment = createDeployment();
  for (const tool of mixTools()) deployment.tool(tool);
  const agent = await deployment.agent("soak", { form: "code", runtime });
  const soak = createSoak(agent, tenants);
  const size = Math.max(2, Math.ceil(programs / intervals));
  console.log(soakLine(before));
  for (let from = 0; from < programs; from += size) {
    const to = Math.min(from + size, programs);
    const start = performance.now();
    await runInterval(soak, from, to, concurrency);
    const sample = takeSample(to, (performance.now() - start) / (to - from));
    samples.push(sample);
    console.log(soakLine(sample));
  }
  await runtime.close();
  deployment[Symbol.dispose]();
  await sleep(500);
  const after = takeSample(programs, 0);
  console.log(soakLine(after));
  tell({ samples, before, after, wrong: soak.wrong, write });
}

interface Outcome {
  readonly samples: readonly Sample[];
  readonly before: Sample;
  readonly after: Sample;
  readonly wrong: ReadonlyMap<string, number>;
  readonly write: boolean;
}

function tell({ samples, before, after, wrong, write }: Outcome): void {
  const warm = samples[Math.floor(samples.length / 5)] ?? before;
  const last = samples.at(-1) ?? before;
  const grown = findGrowth(warm, last, before, after);
  const ended = [...wrong].map(([told, times]) => `${told} (${times} times)`);
  const problems = [...grown, ...ended];
  const range = (name: "heapMb" | "rssMb"): string => `${warm[name].toFixed(1)} to ${last[name].toFixed(1)} MB`;
  const verdict =
    problems.length === 0
      ? `flat: heap ${range("heapMb")}, RSS ${range("rssMb")}; afterwards ${after.processes} processes, ${after.files - before.files} files and ${after.handles - before.handles} handles more than before`
      : `not flat: ${problems.join("; ")}`;
  console.log(verdict);
  if (write) {
    const rows = [before, ...samples.filter((_, index) => index % 4 === 3), after].map(soakLine).join("\n");
    writeSection("soak", `${describeMachine()}\n\n${soakHead}\n${rows}\n\n${verdict}`);
  }
  if (problems.length > 0) process.exitCode = 1;
}

await main();
