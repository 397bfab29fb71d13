// A server as a source of tools. A connection that is lost is noticed at once and opened again by the next call or
// listing. What goes wrong is told in full to the host, and to a program without the command line and stderr of the server.
import { Fault, messageOf, ToolError } from "../errors.ts";
import { outcome, type ToolOutcome } from "../registry/outcome.ts";
import type { ToolSource } from "../registry/source.ts";
import type { AnyTool, ToolContext } from "../registry/tool.ts";
import { type Connection, connect, type HttpTarget } from "./client.ts";
import { defineListed, type Override } from "./definition.ts";
import { createLink } from "./link.ts";
import type { StdioTarget } from "./stdio.ts";
import { readResult, type ValueRules } from "./values.ts";

export interface McpOptions {
  /** `mcp_<server>__` unless given. */
  readonly prefix?: string | undefined;
  /** Believe what the server's annotations say of effects and of calls that may overlap. */
  readonly trusted?: boolean | undefined;
  readonly keywords?: readonly string[] | undefined;
  /** What the host says of tools, by glob over the server's own names; of several that match, the later wins. */
  readonly overrides?: Readonly<Record<string, Override>> | undefined;
  /** Time for the server to start, to answer a listing and to answer a call; 60,000 for the first two and `callMs` unless given. */
  readonly timeoutMs?: number | undefined;
}

export type McpTarget = (StdioTarget | HttpTarget) & McpOptions;

const connectMs = 60_000;

/** A server's tools, for `deployment.source`; nothing is started before the source is joined. */
export function mcp(name: string, target: McpTarget): ToolSource {
  checkTarget(name, target);
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
    prefix: target.prefix ?? `mcp_${name}__`,
    async tools(): Promise<readonly AnyTool[]> {
      if (closed) throw new Fault("source_failed", `MCP server "${name}" is closed`);
      const entries = await link.open().then(list).catch(tell);
      listed = JSON.stringify(entries);
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
    const connection = await reconnect().catch((error: unknown) => {
      context.logger.error(describe(error), { source: name, tool });
      return undefined;
    });
    if (connection === undefined) {
      return disconnected("none", `the MCP server "${name}" is not running and could not be started again`);
    }
    const { signal } = context;
    const reply = await connection.call(tool, args, { signal, onProgress: (progress) => context.progress(progress) });
    if (reply.kind === "answered") return readResult(reply.result, rules);
    if (reply.kind === "cancelled") throw signal.reason;
    if (reply.kind === "refused") {
      throw new ToolError(`the MCP server "${name}" refused the call: ${reply.message}`, {
        details: { mcp: reply.details },
      });
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
    if (JSON.stringify(await list(connection)) !== listed) changed();
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

function checkTarget(name: string, target: Partial<StdioTarget> & Partial<HttpTarget>): void {
  const { command, url } = target;
  if (name === "") throw new Fault("invalid_options", "an MCP server needs a name");
  if ((command === undefined) === (url === undefined)) {
    throw new Fault("invalid_options", `MCP server "${name}" needs either a "command" to start or a "url" to reach`);
  }
  if (command === "") throw new Fault("invalid_options", `MCP server "${name}": "command" is empty`);
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new Fault("invalid_options", `MCP server "${name}": "${url}" is no http or https address`);
  }
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
