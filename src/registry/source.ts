// A source's tools follow its lists: each list replaces the former as a whole, a list that cannot be had leaves the
// former in place, and a tool that is broken or whose name is taken is left out with a warning and harms no other.
import { Fault, messageOf } from "../errors.ts";
import { makeTool } from "./make-tool.ts";
import type { AnyTool, Tool } from "./tool.ts";
import type { Warning } from "./warning.ts";

/** Where tools come from that are not the host's own; it is closed by the scope that it joined. */
export interface ToolSource extends AsyncDisposable {
  /** Part of the identity of its tools; unique in a scope. */
  readonly name: string;
  /** Put before each tool's own name to make the registered one. */
  readonly prefix?: string;
  /** Whoever writes what its tools answer may mean harm: the first read taints a session. */
  readonly untrusted?: boolean;
  /** Connects where needed and lists all tools under their own names. */
  tools(): Promise<readonly AnyTool[]>;
  /** Calls back when `tools()` would answer differently. */
  onChange?(listener: () => void): Disposable;
}

/** What a joining source may do to its scope. */
export interface SourceHost {
  /** Why a name cannot be had; undefined where it is free or the source's own. */
  taken(name: string, own: ReadonlySet<Tool>): string | undefined;
  replace(before: ReadonlySet<Tool>, after: ReadonlySet<Tool>): void;
  warn(warning: Warning): void;
  readonly checkerPath: string;
  readonly isUntrusted?: boolean;
}

export interface JoinedSource {
  /** The first list is in; rejects with `source_failed`, the source closed. */
  readonly ready: Promise<void>;
  /** Takes the tools away and closes the source; later calls wait for the same. */
  close(): Promise<void>;
}

export function joinSource(source: ToolSource, host: SourceHost): JoinedSource {
  const name = JSON.stringify(source.name);
  let current: ReadonlySet<Tool> = new Set();
  let closing: Promise<void> | undefined;
  let changed = false;
  let busy = true;
  const isClosed = (): boolean => closing !== undefined;
  const subscription = source.onChange?.(() => {
    changed = true;
    if (busy) return;
    busy = true;
    void follow();
  });

  async function list(): Promise<void> {
    const definitions = await source.tools();
    if (!Array.isArray(definitions)) throw new Error("it answered something else than a list of tools");
    if (isClosed()) return;
    const next = readTools(definitions, source, host, current);
    host.replace(current, next);
    current = next;
  }

  /** One list at a time, once more for any number of changes meanwhile. */
  async function follow(): Promise<void> {
    while (changed && !isClosed()) {
      changed = false;
      try {
        await list();
      } catch (error) {
        const message = `source ${name} changed its tools and could not list them: ${messageOf(error)}; the former ones stay`;
        host.warn({ kind: "source_failed", source: source.name, message });
      }
    }
    busy = false;
  }

  async function start(): Promise<void> {
    try {
      await list();
    } catch (error) {
      await close().catch(() => undefined);
      if (error instanceof Fault && error.code === "source_failed") throw error;
      throw new Fault("source_failed", `source ${name} gave no tools: ${messageOf(error)}`, {
        details: { source: source.name },
        cause: error,
      });
    }
    await follow();
  }

  function close(): Promise<void> {
    closing ??= (async () => {
      subscription?.[Symbol.dispose]();
      host.replace(current, new Set());
      await source[Symbol.asyncDispose]();
    })();
    return closing;
  }

  return { ready: start(), close };
}

function readTools(
  definitions: readonly AnyTool[],
  source: ToolSource,
  host: SourceHost,
  own: ReadonlySet<Tool>,
): ReadonlySet<Tool> {
  const { prefix = "" } = source;
  const tools = new Map<string, Tool>();
  for (const [index, definition] of definitions.entries()) {
    try {
      const tool = makeTool(definition, {
        prefix,
        source: source.name,
        warn: (warning) => host.warn(warning),
        isStrict: false,
        untrusted: source.untrusted === true || host.isUntrusted === true,
        checkerPath: host.checkerPath,
      });
      const taken = tools.has(tool.name) ? "the source lists that name twice" : host.taken(tool.name, own);
      if (taken !== undefined) throw new Error(`tool ${JSON.stringify(tool.name)}: ${taken}`);
      tools.set(tool.name, tool);
    } catch (error) {
      const message = `source ${JSON.stringify(source.name)}: its tool number ${index + 1} is left out: ${messageOf(error)}`;
      host.warn({ kind: "source_tool_left_out", source: source.name, message });
    }
  }
  return new Set(tools.values());
}
