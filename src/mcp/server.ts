import type { Readable, Writable } from "node:stream";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Agent, JsonObject, Logger, ModelTool, RecordEntry, RunEvent, ToolUseResult } from "../index.ts";
import { isObject } from "../is-object.ts";
import { guarded, silent } from "../log.ts";
import { checkOptions, checkText } from "../options.ts";
import { identity } from "./identity.ts";
import { answerRequests, type Requests } from "./requests.ts";
import { wholeLines } from "./whole-lines.ts";

export interface ServeOptions {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly tenant?: string;
  /** Given the record of each request once the request is done. */
  readonly onRecord?: (entries: readonly RecordEntry[]) => void | Promise<void>;
  /** Hears of an `onRecord` that failed, which harms no answer. */
  readonly logger?: Logger;
}

export interface Served extends AsyncDisposable {
  /** Resolves once the client has gone or `close` was called; what ran for it is signalled to stop. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const serveOptions = {
  stdin: "object",
  stdout: "object",
  tenant: "text",
  onRecord: "function",
  logger: "object",
} as const;

/** What a client may send in one message: the largest arguments and programs, with room for their escapes. */
const messageBytes = 67_108_864;

/** A value larger than this is in the text only, where it is shortened to what a model can read. */
const structuredChars = 16_384;

/** Makes an agent an MCP server over stdio: the code tool, and in form `both` its tools beside it. Each request is a session. */
export async function serve(agent: Agent, options: ServeOptions = {}): Promise<Served> {
  checkOptions("serve", options, serveOptions);
  const { stdin = process.stdin, stdout = process.stdout, tenant = "default", onRecord } = options;
  checkText("the tenant of serve", tenant);
  const logger = guarded(options.logger ?? silent);
  const requests = answerRequests(agent, { tenant, onRecord, logger });
  const lines = wholeLines(messageBytes);
  // What bounds a line is `lines`; a chunk of it may hold more lines than one.
  const transport = new StdioServerTransport(lines, stdout, { maxBufferSize: 2 * messageBytes });
  const over = Promise.withResolvers<void>();
  let closing: Promise<void> | undefined;
  let fault: unknown;
  const handle = serveStdio(() => makeServer(agent, requests), { transport, onerror });
  const close = (): Promise<void> => (closing ??= shut());
  const onEnd = (): void => void close();
  lines.on("error", onLost);
  stdin.once("end", onEnd).once("close", onEnd).on("error", onLost).pipe(lines);
  if (stdin.readableEnded || stdin.destroyed) setImmediate(onEnd);
  const told = transport.onclose;
  // The transport closes by itself where it can read or write no more.
  Object.assign(transport, {
    onclose() {
      onLost(fault);
      told?.();
    },
  });
  return { closed: over.promise, close, [Symbol.asyncDispose]: close };

  function onLost(cause: unknown): void {
    if (closing === undefined && cause !== undefined) logger.error("the client was lost", { cause });
    onEnd();
  }

  /** The transport tells of an error right before it closes for it, and of others that it survives. */
  function onerror(error: Error): void {
    fault = error;
    queueMicrotask(() => (fault = undefined));
  }

  async function shut(): Promise<void> {
    stdin.off("end", onEnd).off("close", onEnd).unpipe(lines);
    stdin.pause();
    try {
      await requests.close();
      await handle.close();
    } catch (error) {
      logger.error("the server could not be closed in order", { cause: error });
    } finally {
      over.resolve();
    }
  }
}

function makeServer(agent: Agent, requests: Requests): McpServer {
  const made = new McpServer(identity, { capabilities: { tools: {} } });
  const { server } = made;
  server.setRequestHandler("tools/list", () => {
    const { tools, codeTool } = agent.surface();
    return { tools: [...(codeTool === undefined ? [] : [codeTool]), ...tools].map(listed) };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { _meta: meta, id, signal } = mcpReq;
    const token = meta?.progressToken;
    const listen = (events: AsyncIterable<RunEvent>): void => {
      if (token === undefined) return;
      void reportProgress(events, (progress, message) =>
        mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, progress, message } }),
      );
    };
    const use = { id: String(id), name: params.name, input: params.arguments ?? {} };
    return resultOf(await requests.answer(use, signal, listen));
  });
  return made;
}

function listed({ name, description, inputSchema }: ModelTool): {
  name: string;
  description: string;
  inputSchema: { type: "object" };
} {
  return { name, description, inputSchema: { ...inputSchema, type: "object" } };
}

function resultOf({ content, isError, run, outcome }: ToolUseResult): {
  content: { type: "text"; text: string }[];
  isError?: true;
  structuredContent?: Readonly<Record<string, unknown>>;
} {
  const structured =
    run === undefined ? (outcome !== undefined && "value" in outcome ? outcome.value : undefined) : summary(run);
  return {
    content: [{ type: "text", text: content }],
    ...(isError ? { isError } : {}),
    ...(isObject(structured) && JSON.stringify(structured).length <= structuredChars
      ? { structuredContent: structured }
      : {}),
  };
}

function summary(run: NonNullable<ToolUseResult["run"]>): JsonObject {
  const { runId, status } = run;
  if (run.status === "completed") return { runId, status, value: run.value };
  if (run.status === "suspended") return { runId, status };
  const { code, message } = run.error;
  return { runId, status, error: { code, message } };
}

/** One notification for each call that starts, makes progress or ends; the number only ever grows, as the protocol asks. */
async function reportProgress(
  events: AsyncIterable<RunEvent>,
  notify: (progress: number, message: string) => Promise<void>,
): Promise<void> {
  const tools = new Map<string, string>();
  let progress = 0;
  for await (const event of events) {
    if (event.type === "call.requested") tools.set(event.callId, event.tool);
    const message = progressText(event, tools);
    if (message === undefined) continue;
    progress += 1;
    // A client that is gone wants no progress.
    await notify(progress, message).catch(() => undefined);
  }
}

function progressText(event: RunEvent, tools: ReadonlyMap<string, string>): string | undefined {
  if (event.type === "call.started") return `${tools.get(event.callId)} started`;
  if (event.type === "call.progress") return `${tools.get(event.callId)}: ${event.message ?? event.done ?? "working"}`;
  if (event.type === "call.settled") return `${event.tool} ${event.status}`;
  return undefined;
}
