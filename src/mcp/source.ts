// A server as a source of tools. A connection that is lost is noticed at once and opened again by the next call or
// listing. What goes wrong is told in full to the host, and to a program without the command line and stderr of the server.
import { Fault, messageOf, ToolError } from "../errors.ts";
import { isObject } from "../is-object.ts";
import { bounds, limitTable } from "../limits.ts";
import { checkOptions, checkText, describe as describeValue } from "../options.ts";
import { nestsDeeper } from "../registry/depth.ts";
import { outcome, type ToolOutcome } from "../registry/outcome.ts";
import type { ToolSource } from "../registry/source.ts";
import type { AnyTool, ToolContext } from "../registry/tool.ts";
import { type Connection, connect, type HttpTarget } from "./client.ts";
import { defineListed, type Override } from "./definition.ts";
import { createLink } from "./link.ts";
import type { StdioTarget } from "./stdio.ts";
import { isResult, readResult, type ValueRules } from "./values.ts";

export interface McpOptions {
  /** `mcp_<server>__` unless given. */
  readonly prefix?: string | undefined;
  /** Believe what the server's annotations say of effects and of calls that may overlap. */
  readonly trusted?: boolean | undefined;
  /** Whoever writes what its tools answer may mean harm: the first read taints a session. */
  readonly untrusted?: boolean | undefined;
  readonly keywords?: readonly string[] | undefined;
  /** What the host says of tools, by glob over the server's own names; of several that match, the later wins. */
  readonly overrides?: Readonly<Record<string, Override>> | undefined;
  /** Time for the server to start, to answer a listing and to answer a call; 60,000 for the first two and `callMs` unless given. */
  readonly timeoutMs?: number | undefined;
}

export type McpTarget = (StdioTarget | HttpTarget) & McpOptions;

const connectMs = 60_000;

/** A server's tools, for `deployment.source`; nothing is started before the source is joined. */
export function mcp(name: string, given: McpTarget): ToolSource {
  const target = readTarget(name, given);
  const listeners = new Set<() => void>();
  let closed = false;
  /** The server's list as it was last given out. */
  let listed: string | undefined;
  const link = createLink((onLost, signal) =>
    connect(target, { timeoutMs: target.timeoutMs ?? connectMs, onListChanged: changed, onLost, signal }),
  );
  const definitionOptions = {
    trusted: target.trusted === true,
    keywords: target.keywords ?? [],
    overrides: target.overrides ?? {},
    timeoutMs: target.timeoutMs,
  };

  return {
    name,
    ...(target.untrusted === undefined ? {} : { untrusted: target.untrusted }),
    prefix: target.prefix ?? `mcp_${name}__`,
    async tools(): Promise<readonly AnyTool[]> {
      if (closed) throw new Fault("source_failed", `MCP server "${name}" is closed`);
      const entries = await link.open().then(list).catch(tell);
      listed = fingerprint(entries);
      return entries.map((entry) => defineListed(entry, definitionOptions, execute));
    },
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      listeners.clear();
      await link.close();
    },
  };

  function changed(): void {
    for (const listener of listeners) listener();
  }

  async function execute(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    rules: ValueRules,
    context: ToolContext,
  ): Promise<unknown> {
    const { signal } = context;
    const connection = await unless(
      signal,
      reconnect().catch((error: unknown) => {
        context.logger.error(describe(error), { source: name, tool });
        return undefined;
      }),
    );
    if (signal.aborted) return unsent(name);
    if (connection === undefined) {
      return disconnected("none", `the MCP server "${name}" is not running and could not be started again`);
    }
    const reply = await connection.call(tool, args, { signal, onProgress: (progress) => context.progress(progress) });
    if (reply.kind === "answered" && isResult(reply.result))
      return readResult(reply.result, rules, (part) => context.reference(part));
    if (reply.kind === "cancelled") throw signal.reason;
    if (reply.kind === "refused") {
      throw new ToolError(`the MCP server "${name}" refused the call: ${reply.message}`, {
        details: { mcp: reply.details },
      });
    }
    if (reply.kind === "broken" || reply.kind === "answered") {
      const reason = reply.kind === "broken" ? reply.reason : "its result has neither content nor structuredContent";
      context.logger.error(describe(new Error(`no answer to a call of "${tool}": ${reason}`)), {
        source: name,
        tool,
      });
      const message = `the MCP server "${name}" failed the call: ${reason}, so what became of the call is not known`;
      return outcome({ status: "error", error: { code: "source_answer_invalid", message } });
    }
    context.logger.error(describe(new Error(`lost during a call of "${tool}": ${reply.reason}`)), {
      source: name,
      tool,
    });
    void connection.close();
    return disconnected(
      undefined,
      `the MCP server "${name}" went away during the call, so what became of the call is not known`,
    );
  }

  /** The connection, opened again where it was lost; the listeners hear of it if the server came back with other tools. */
  async function reconnect(): Promise<Connection> {
    if (closed) throw new Error("the source is closed");
    const current = link.current();
    if (current !== undefined) return current;
    const connection = await link.open();
    if (fingerprint(await list(connection)) !== listed) changed();
    return connection;
  }

  function tell(error: unknown): never {
    const hint =
      "command" in target
        ? "run the command by hand to see what it says, and correct it"
        : "check the address, and that the server is up";
    throw new Fault("source_failed", describe(error), { hint, details: { source: name }, cause: error });
  }

  function describe(error: unknown): string {
    const where = "command" in target ? [target.command, ...(target.args ?? [])].join(" ") : target.url;
    return `MCP server "${name}" (${where}): ${messageOf(error)}`;
  }
}

const stdioOptions = { command: "text", args: "texts", env: "textsByName", cwd: "text" } as const;
const httpOptions = { url: "text", headers: "textsByName" } as const;
const bothOptions = {
  prefix: "text",
  trusted: "flag",
  untrusted: "flag",
  keywords: "texts",
  overrides: "object",
  timeoutMs: "anything",
} as const;

/** The target without what is undefined; throws `invalid_options` where it is not one server. */
function readTarget(name: string, given: McpTarget): McpTarget {
  checkText("the name of an MCP server", name);
  const what = `MCP server "${name}"`;
  if (!isObject(given)) throw new Fault("invalid_options", `${what} needs a target, got ${describeValue(given)}`);
  const target: Partial<StdioTarget & HttpTarget> & McpOptions = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  const { command, url, overrides = {}, timeoutMs } = target;
  checkOptions(what, target, {
    ...(command === undefined && url !== undefined ? {} : stdioOptions),
    ...(url === undefined && command !== undefined ? {} : httpOptions),
    ...bothOptions,
  });
  for (const [glob, override] of Object.entries(overrides)) {
    const place = `override "${glob}" of ${what}`;
    if (override === undefined) throw new Fault("invalid_options", `${place} must be an object, got undefined`);
    checkOptions(place, override, { effects: "texts", parallelSafe: "flag" });
  }
  const { min, max } = limitTable.callMs;
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs >= min && timeoutMs <= max)) {
    const message = `option timeoutMs of ${what} must be an integer from ${min} to ${max}, got ${describeValue(timeoutMs)}`;
    throw new Fault("invalid_options", message);
  }
  if (url === undefined && command !== undefined) {
    if (command === "") throw new Fault("invalid_options", `${what}: "command" is empty`);
    return { ...target, command };
  }
  if (command !== undefined || url === undefined) {
    throw new Fault("invalid_options", `${what} needs either a "command" to start or a "url" to reach`);
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new Fault("invalid_options", `${what}: "${url}" is no http or https address`);
  }
  return { ...target, url };
}

async function list(connection: Connection): Promise<readonly unknown[]> {
  try {
    return await connection.list();
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Without an effect the pipeline decides: unknown for what may write, none for a read. */
function disconnected(effect: "none" | undefined, message: string): ToolOutcome {
  const hint = "the next call tries to start it again; if that fails too, go on without its tools and say so";
  return outcome({
    status: "error",
    ...(effect === undefined ? {} : { effect }),
    error: { code: "source_disconnected", message, hint },
  });
}

/** A call that was stopped before the server heard of it. */
function unsent(server: string): ToolOutcome {
  const message = `the call was stopped before it was sent to the MCP server "${server}"`;
  return outcome({ status: "error", effect: "none", error: { code: "call_aborted", message } });
}

/** What the work comes to, or undefined as soon as the signal aborts. */
async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  const stop = Promise.withResolvers<undefined>();
  const onAbort = (): void => stop.resolve(undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, stop.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Equal for equal lists; an entry that nests too deep to be written counts as any other of its kind. */
function fingerprint(entries: readonly unknown[]): string {
  return JSON.stringify(entries.map((entry) => (nestsDeeper(entry, bounds.jsonDepth) ? "too deep" : entry)));
}
