import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Fault, messageOf } from "../errors.ts";
import { limitTable, type Limits, readLimits } from "../limits.ts";
import type { McpTarget } from "../mcp/index.ts";
import type { Form } from "../registry/composition.ts";
import { type McpServerEntry, parseConfig, suggest, unknownKey } from "./config-schema.ts";
import { findBadKey, readJson } from "./json-text.ts";
import { storeFault } from "./store.ts";

/** A module as the configuration names it, and where that is. */
export interface ModulePath {
  readonly given: string;
  readonly file: string;
}

/** A configuration file, checked, with every path made absolute. */
export interface Config {
  readonly file: string | undefined;
  readonly servers: readonly { readonly name: string; readonly target: McpTarget }[];
  /** A module that exports tools. */
  readonly tools: ModulePath | undefined;
  /** A module that exports the policy. */
  readonly policy: ModulePath | undefined;
  readonly form: Form;
  readonly limits: Partial<Limits>;
  /** Where each run's record is appended as JSON lines. */
  readonly record: string | undefined;
  /** Where the shapes of results are kept that were observed of tools without an output schema. */
  readonly learnOutputs: string | undefined;
  /** Where runs are kept: `sqlite:` and an absolute path, or the address of a PostgreSQL database. */
  readonly store: string | undefined;
}

export const noConfig: Config = {
  file: undefined,
  servers: [],
  tools: undefined,
  policy: undefined,
  form: "code",
  limits: {},
  record: undefined,
  learnOutputs: undefined,
  store: undefined,
};

/** Reads the one file that `--config` names; throws `invalid_config` with every fault in it. */
export function readConfig(path: string): Config {
  const file = resolve(path);
  const text = readText(path, file);
  const parsed = readJson(text);
  if ("fault" in parsed) {
    const { line, column, message } = parsed.fault;
    throw invalid(`${path}:${line}:${column}: not JSON: ${message}`);
  }
  const badKey = findBadKey(text);
  if (badKey !== undefined) throw invalid(`${path}:${badKey.line}:${badKey.column}: ${badKey.message}`);
  const checked = parseConfig(parsed.value);
  if ("faults" in checked) throw invalid(checked.faults.map((fault) => `${path}: ${fault}`).join("\n"));
  const { mcpServers = {}, servers = {}, form = "code", limits = {}, ...paths } = checked.config;
  const folder = dirname(file);
  const modulePath = (given: string | undefined): ModulePath | undefined =>
    given === undefined ? undefined : { given, file: resolve(folder, given) };
  for (const name of Object.keys(servers)) {
    if (Object.hasOwn(mcpServers, name)) continue;
    throw invalid(
      `${path}: servers.${name}: "mcpServers" has no server of that name${suggest(name, Object.keys(mcpServers))}`,
    );
  }
  return {
    file,
    form,
    limits: checkLimits(path, limits),
    tools: modulePath(paths.tools),
    policy: modulePath(paths.policy),
    record: paths.record === undefined ? undefined : resolve(folder, paths.record),
    learnOutputs: paths.learnOutputs === undefined ? undefined : resolve(folder, paths.learnOutputs),
    store: readStore(path, paths.store, folder),
    servers: Object.entries(mcpServers).flatMap(([name, entry]) => {
      const { disabled = false, ...options } = servers[name] ?? {};
      return disabled ? [] : [{ name, target: { ...readTarget(path, name, entry, folder), ...options } }];
    }),
  };
}

function readStore(path: string, address: string | undefined, folder: string): string | undefined {
  const fault = address === undefined ? undefined : storeFault(address);
  if (fault !== undefined) throw invalid(`${path}: store: it ${fault}`);
  return address?.startsWith("sqlite:") === true
    ? `sqlite:${resolve(folder, address.slice("sqlite:".length))}`
    : address;
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
  const fault = targetFault(entry);
  if (fault !== undefined) throw invalid(`${path}: mcpServers.${name} ${fault}`);
  if (url !== undefined) return { url, headers };
  return { command: command as string, args, env, cwd: resolve(folder, cwd) };
}

/** What keeps an entry from being one server, or from being the kind that it says it is. */
function targetFault({ type, command, url }: McpServerEntry): string | undefined {
  if (command !== undefined && url !== undefined) {
    return 'has a "command" and a "url": keep the one to start or the one to reach';
  }
  if (type === "stdio" && command === undefined) {
    return `has the type "stdio", which needs a "command" to start${url === undefined ? "" : ', and a "url": give the type "http" or leave it out'}`;
  }
  if (type !== undefined && type !== "stdio" && url === undefined) {
    return `has the type "${type}", which needs a "url" to reach${command === undefined ? "" : ', and a "command": give the type "stdio" or leave it out'}`;
  }
  if (command === undefined && url === undefined) return 'needs either a "command" to start or a "url" to reach';
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? "")) return undefined;
  return `has a "url" that is no http or https address: ${JSON.stringify(url)}`;
}

function checkLimits(path: string, limits: Readonly<Record<string, number>>): Partial<Limits> {
  for (const name of Object.keys(limits)) {
    if (!Object.hasOwn(limitTable, name)) throw invalid(`${path}: ${unknownKey(["limits"], name)}`);
  }
  try {
    readLimits(limits);
  } catch (error) {
    throw invalid(`${path}: limits: ${messageOf(error)}`);
  }
  return limits;
}

function invalid(message: string): Fault {
  return new Fault("invalid_config", message);
}
