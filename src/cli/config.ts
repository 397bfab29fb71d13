import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Fault, messageOf } from "../errors.ts";
import { limitTable, type Limits, readLimits } from "../limits.ts";
import type { McpTarget } from "../mcp/index.ts";
import type { Form } from "../registry/composition.ts";
import { type McpServerEntry, parseConfig, suggest, unknownKey } from "./config-schema.ts";
import { readJson } from "./json-text.ts";

/** A configuration file, checked, with every path made absolute. */
export interface Config {
  readonly file: string | undefined;
  readonly servers: readonly { readonly name: string; readonly target: McpTarget }[];
  /** A module that exports tools. */
  readonly tools: string | undefined;
  /** A module that exports the policy. */
  readonly policy: string | undefined;
  readonly form: Form;
  readonly limits: Partial<Limits>;
  /** Where each run's record is appended as JSON lines. */
  readonly record: string | undefined;
}

export const noConfig: Config = {
  file: undefined,
  servers: [],
  tools: undefined,
  policy: undefined,
  form: "code",
  limits: {},
  record: undefined,
};

/** Reads the one file that `--config` names; throws `invalid_config` with every fault in it. */
export function readConfig(path: string): Config {
  const file = resolve(path);
  const parsed = readJson(readText(path, file));
  if ("fault" in parsed) {
    const { line, column, message } = parsed.fault;
    throw invalid(`${path}:${line}:${column}: not JSON: ${message}`);
  }
  const checked = parseConfig(parsed.value);
  if ("faults" in checked) throw invalid(checked.faults.map((fault) => `${path}: ${fault}`).join("\n"));
  const { mcpServers = {}, servers = {}, form = "code", limits = {}, ...paths } = checked.config;
  const folder = dirname(file);
  const absolute = (given: string | undefined): string | undefined =>
    given === undefined ? undefined : resolve(folder, given);
  for (const name of Object.keys(servers)) {
    if (Object.hasOwn(mcpServers, name)) continue;
    throw invalid(
      `${path}: servers.${name}: "mcpServers" has no server of that name${suggest(name, Object.keys(mcpServers))}`,
    );
  }
  checkLimits(path, limits);
  return {
    file,
    form,
    limits,
    tools: absolute(paths.tools),
    policy: absolute(paths.policy),
    record: absolute(paths.record),
    servers: Object.entries(mcpServers).flatMap(([name, entry]) => {
      const { disabled = false, ...options } = servers[name] ?? {};
      return disabled ? [] : [{ name, target: { ...readTarget(path, name, entry, folder), ...options } }];
    }),
  };
}

function readText(path: string, file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw invalid(`${path}: ${missing ? "there is no such file" : `the file cannot be read: ${messageOf(error)}`}`);
  }
}

function readTarget(path: string, name: string, entry: McpServerEntry, folder: string): McpTarget {
  const { command, args, env, cwd = ".", url, headers } = entry;
  if (command !== undefined && url === undefined) return { command, args, env, cwd: resolve(folder, cwd) };
  if (url !== undefined && command === undefined && URL.canParse(url)) return { url, headers };
  const fault =
    url === undefined || command !== undefined
      ? 'needs either a "command" to start or a "url" to reach'
      : `has a "url" that is no address: "${url}"`;
  throw invalid(`${path}: mcpServers.${name} ${fault}`);
}

function checkLimits(path: string, limits: Readonly<Record<string, number>>): void {
  for (const name of Object.keys(limits)) {
    if (!Object.hasOwn(limitTable, name)) throw invalid(`${path}: ${unknownKey(["limits"], name)}`);
  }
  try {
    readLimits(limits);
  } catch (error) {
    throw invalid(`${path}: limits: ${messageOf(error)}`);
  }
}

function invalid(message: string): Fault {
  return new Fault("invalid_config", message);
}
