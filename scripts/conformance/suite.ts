// Runs a folder of tests in the format of test262 as programs of a real runtime.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pLimit from "p-limit";
import { type Agent, createDeployment, createRuntime } from "../../src/index.ts";
import { type Assembled, asProgram, assemble, createHarness, passed, type Test } from "./assemble.ts";
import { type Control, createControl } from "./control.ts";
import { readFrontMatter } from "./front-matter.ts";
import { gaps } from "./gaps.ts";

export type Verdict =
  | { readonly kind: "pass" }
  | { readonly kind: "skipped"; readonly reason: string }
  /** A deliberate gap explains it. */
  | { readonly kind: "gap"; readonly gap: string; readonly message: string }
  /** The bare engine fails it too. */
  | { readonly kind: "engine"; readonly message: string }
  | { readonly kind: "fail"; readonly message: string };

export interface Result {
  readonly path: string;
  readonly verdict: Verdict;
}

export interface SuiteOptions {
  /** Holds `harness/` and `test/`. */
  readonly folder: string;
  /** The beginning of the paths below `test/` to run. */
  readonly under?: string;
  /** Programs at once. */
  readonly concurrency?: number;
}

/** Room for the slowest tests; none needs more than a program may be given. */
const limits = { sourceBytes: 1_048_576, cpuMs: 60_000, wallMs: 120_000, memoryMb: 256 } as const;

const moduleFeatures = new Set(["dynamic-import", "import.meta", "import-defer", "source-phase-imports"]);

const skipReasons: readonly (readonly [reason: string, holds: (test: Test) => boolean])[] = [
  [
    "a module",
    ({ notes }) => notes.flags.includes("module") || notes.features.some((name) => moduleFeatures.has(name)),
  ],
  ["not strict", ({ notes }) => notes.flags.includes("noStrict")],
  ["a raw text", ({ notes }) => notes.flags.includes("raw")],
  ["needs a host ($262)", ({ text }) => text.includes("$262")],
  [
    "needs a host (an include does)",
    ({ notes }) =>
      notes.includes.some((name) => /^(agent|atomicsHelper|detachArrayBuffer|wellKnownIntrinsicObjects)/i.test(name)),
  ],
  ["a module resolved", ({ notes }) => notes.negative?.phase === "resolution"],
  ["longer than a program", ({ text }) => Buffer.byteLength(text) > limits.sourceBytes - 200_000],
];

function readTests(folder: string, under: string): Test[] {
  const root = join(folder, "test");
  return globSync("**/*.js", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.startsWith(under) && !path.includes("_FIXTURE"))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, notes: readFrontMatter(text) };
    });
}

/** What went wrong, or nothing. */
async function runProgram(agent: Agent, test: Test, assembled: Assembled): Promise<string | undefined> {
  const run = await agent.run(asProgram(assembled));
  const { negative } = test.notes;
  if (run.status === "completed") {
    if (negative !== undefined) return `no ${negative.type} where one must be`;
    return run.value === passed ? undefined : `gave ${JSON.stringify(run.value)}`;
  }
  if (!("error" in run)) return run.status;
  const told = `${run.error.name ?? "Error"}: ${run.error.message} [${run.error.code}]`;
  if (negative === undefined) return told;
  return (negative.phase === "parse" ? neverRan.has(run.error.code) : isOf(negative.type, run.error))
    ? undefined
    : told;
}

/** How a text ends that is refused before any of it runs. */
const neverRan: ReadonlySet<string> = new Set(["syntax_error", "import_not_available", "not_a_program"]);

/** What is thrown need not be an error; its message then begins with its class. */
const isOf = (type: string, { name, message }: { readonly name?: string; readonly message: string }): boolean =>
  name === type || message.startsWith(`${type} {`);

/** What all tests of a suite share. */
interface Bench {
  readonly agent: Agent;
  readonly control: Control;
  readonly harness: (name: string) => string;
}

async function judge({ agent, control, harness }: Bench, test: Test): Promise<Verdict> {
  const reason = skipReasons.find(([, holds]) => holds(test))?.[0];
  if (reason !== undefined) return { kind: "skipped", reason };
  const assembled = assemble(test, harness);
  const message = await runProgram(agent, test, assembled);
  if (message === undefined) return { kind: "pass" };
  const type = test.notes.negative?.type;
  if (!(await control.passes(assembled, "script", type))) return { kind: "engine", message };
  const passesAsFunction = await control.passes(assembled, "function", type);
  const gap = gaps.find((one) => one.explains({ notes: test.notes, test: assembled, message, passesAsFunction }));
  return gap === undefined ? { kind: "fail", message } : { kind: "gap", gap: gap.what, message };
}

/** Runs every test below the folder; the results come in the order of their paths. */
export async function runSuite({ folder, under = "", concurrency = 4 }: SuiteOptions): Promise<Result[]> {
  await using runtime = await createRuntime({ limits });
  using deployment = createDeployment();
  using control = createControl();
  const agent = await deployment.agent("conformance", { form: "code", runtime });
  const bench: Bench = { agent, control, harness: createHarness(folder) };
  const limit = pLimit(concurrency);
  return await Promise.all(
    readTests(folder, under).map((test) =>
      limit(async (): Promise<Result> => ({ path: test.path, verdict: await judge(bench, test) })),
    ),
  );
}
