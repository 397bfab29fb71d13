import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { Fault, messageOf } from "../errors.ts";
import { createDeployment, createRuntime } from "../index.ts";
import { mcp } from "../mcp/index.ts";
import { type Config, readConfig } from "./config.ts";
import type { Interruption } from "./interrupt.ts";
import { findHelpers } from "./doctor-processes.ts";
import { checkRecord } from "./keep-record.ts";
import { readLayers } from "./layers.ts";
import { loadPolicy, loadTools } from "./modules.ts";
import { escaped, printable } from "./printable.ts";
import type { Stdio } from "./stdio.ts";
import { exits } from "./terminal.ts";

interface Finding {
  readonly check: string;
  /** A `note` is worth knowing and stops nothing. */
  readonly state: "ok" | "note" | "fail";
  readonly detail: string;
}

type Add = (state: Finding["state"], check: string, detail: string) => void;

export interface DoctorOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** `codecall doctor`: one line a finding on stdout; 1 where something fails, 2 where it is the configuration. */
export async function doctor(options: DoctorOptions, { result }: Stdio, { signal }: Interruption): Promise<number> {
  const findings: Finding[] = [];
  const add: Add = (state, check, detail) => void findings.push({ check, state, detail });
  checkNode(add);
  await checkIsolatedVm(add, signal);
  signal.throwIfAborted();
  await checkSandbox(add, signal);
  signal.throwIfAborted();
  const valid = options.config === undefined || (await checkConfig(options.config, add, signal));
  signal.throwIfAborted();
  if (options.json === true) result.write(`${escaped(JSON.stringify(findings))}\n`);
  else {
    for (const { state, check, detail } of findings) {
      result.write(`${printable(`${state.padEnd(5)}${check}: ${detail}`)}\n`);
    }
  }
  if (!valid) return exits.usage;
  return findings.some(({ state }) => state === "fail") ? exits.failed : exits.completed;
}

function checkNode(add: Add): void {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= 24) add("ok", "node", node);
  else add("fail", "node", `${node}; codecall needs Node 24 or newer`);
}

/** In a process of its own, since a module built for another Node can take its process down. */
async function checkIsolatedVm(add: Add, signal: AbortSignal): Promise<void> {
  try {
    const path = createRequire(import.meta.url).resolve("isolated-vm");
    const script = "new (require(process.argv[1]).Isolate)().dispose()";
    await promisify(execFile)(process.execPath, ["-e", script, path], { signal });
    add("ok", "isolated-vm", "loads and makes an isolate");
  } catch (error) {
    add("fail", "isolated-vm", `it does not load: ${reason(error)}; install it for this Node: npm rebuild isolated-vm`);
  }
}

/** The line of a failed process's output that names the error. */
function reason(error: unknown): string {
  const lines = messageOf(error).trim().split("\n");
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? "").trim();
}

async function checkSandbox(add: Add, signal: AbortSignal): Promise<void> {
  try {
    const helpers = await findHelpers();
    const { refusal } = helpers;
    await attempt(add, "compiler", () => helpers.compiler());
    signal.throwIfAborted();
    await attempt(add, "type checker", () => helpers.typeChecker(), unchecked);
    signal.throwIfAborted();
    const began = performance.now();
    await using runtime = await createRuntime({ processes });
    const started = performance.now();
    const missing = (refusal?.details?.missing ?? {}) as Readonly<Record<string, string>>;
    for (const { name, inForce, detail } of readLayers(missing)) {
      add(inForce ? "ok" : "note", `isolation, ${name}`, inForce ? detail : `not in force (${detail})`);
    }
    if (refusal !== undefined) add("note", "isolation", `${refusal.message}\nhint: ${refusal.hint}`);
    using deployment = createDeployment();
    const agent = await deployment.agent("doctor", { form: "code", runtime });
    const result = await agent.run("const answer: number = 6 * 7; return answer", { signal });
    const ran = performance.now();
    if (result.status === "completed" && result.value === 42) {
      add("ok", "sandbox", `ready in ${Math.round(started - began)} ms, a program in ${Math.round(ran - started)} ms`);
    } else add("fail", "sandbox", `a trivial program did not give its value: ${result.toModel({ maxTokens: 200 })}`);
  } catch (error) {
    add("fail", "sandbox", messageOf(error));
  }
}

const processes = { warm: 1, max: 1 };
const unchecked = "programs run without a type check: npm install codecall with its optional dependencies";

async function checkConfig(path: string, add: Add, signal: AbortSignal): Promise<boolean> {
  let config: Config;
  try {
    config = readConfig(path);
    add("ok", "configuration", path);
  } catch (error) {
    add("fail", "configuration", messageOf(error));
    return false;
  }
  const tools = config.tools;
  if (tools !== undefined)
    await attempt(add, "tools", async () => `${tools.given}: ${(await loadTools(tools, signal)).length} tools`);
  const policy = config.policy;
  if (policy !== undefined) await attempt(add, "policy", () => loadPolicy(policy, signal).then(() => policy.given));
  const record = config.record;
  if (record !== undefined) {
    await attempt(add, "record", async () => {
      checkRecord(config);
      return record;
    });
  }
  signal.throwIfAborted();
  await using deployment = createDeployment();
  const giveUp = (): void => void deployment[Symbol.asyncDispose]();
  signal.addEventListener("abort", giveUp, { once: true });
  await Promise.all(
    config.servers.map(({ name, target }) =>
      attempt(add, `server ${name}`, async () => {
        const began = performance.now();
        await deployment.source(mcp(name, target));
        const count = deployment.surface().tools.filter(({ tool }) => tool.source === name).length;
        return `${count} tools in ${Math.round(performance.now() - began)} ms`;
      }),
    ),
  );
  for (const { message } of deployment.warnings) add("note", "tools", message);
  return true;
}

/** `loss`: what is lost where it fails; then that is only a note. */
async function attempt(add: Add, check: string, run: () => Promise<string>, loss?: string): Promise<void> {
  try {
    add("ok", check, await run());
  } catch (error) {
    const hint = error instanceof Fault && error.hint !== undefined ? `\nhint: ${error.hint}` : "";
    const text = messageOf(error) + hint;
    if (loss === undefined) add("fail", check, text);
    else add("note", check, `${text}; ${loss}`);
  }
}
