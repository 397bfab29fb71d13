import type { Readable, Writable } from "node:stream";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type {
  Agent,
  JsonObject,
  ModelTool,
  RecordEntry,
  RunEvent,
  Session,
  ToolUse,
  ToolUseResult,
  Turn,
} from "../index.ts";
import { identity } from "./identity.ts";
import { isObject } from "./values.ts";

export interface ServeOptions {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly tenant?: string;
  /** Given the record of each request once the request is done. */
  readonly onRecord?: (entries: readonly RecordEntry[]) => void;
}

export interface Served extends AsyncDisposable {
  /** Resolves once the client has gone or `close` was called; what ran for it is signalled to stop. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** A value larger than this is in the text only, where it is shortened to what a model can read. */
const structuredChars = 16_384;

/** Makes an agent an MCP server over stdio: the code tool, and in form `both` its tools beside it. One connection is one session. */
export async function serve(agent: Agent, options: ServeOptions = {}): Promise<Served> {
  const { stdin = process.stdin, stdout = process.stdout, tenant = "default", onRecord } = options;
  const session = await agent.session(`mcp_${crypto.randomUUID()}`, { tenant });
  const requests = new Set<Promise<unknown>>();
  const dispatch = (turn: Turn, use: ToolUse): Promise<ToolUseResult> => {
    const request = dispatchOne(turn, use).finally(() => {
      requests.delete(request);
      onRecord?.(turn.record());
    });
    requests.add(request);
    return request;
  };
  const handle = serveStdio(() => makeServer(agent, session, dispatch), {
    transport: new StdioServerTransport(stdin, stdout),
  });
  const over = Promise.withResolvers<void>();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= shut());
  const onEnd = (): void => void close();
  stdin.once("end", onEnd).once("close", onEnd);
  return { closed: over.promise, close, [Symbol.asyncDispose]: close };

  async function shut(): Promise<void> {
    stdin.off("end", onEnd).off("close", onEnd);
    await session[Symbol.asyncDispose]();
    await Promise.allSettled(requests);
    await handle.close();
    over.resolve();
  }
}

type Dispatch = (turn: Turn, use: ToolUse) => Promise<ToolUseResult>;

async function dispatchOne(turn: Turn, use: ToolUse): Promise<ToolUseResult> {
  const { results } = await turn.dispatch([use]);
  return results[0] as ToolUseResult;
}

function makeServer(agent: Agent, session: Session, dispatch: Dispatch): McpServer {
  const made = new McpServer(identity, { capabilities: { tools: {} } });
  const { server } = made;
  server.setRequestHandler("tools/list", () => {
    const { tools, codeTool } = agent.surface();
    return { tools: [...(codeTool === undefined ? [] : [codeTool]), ...tools].map(listed) };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    using turn = session.turn({ signal: mcpReq.signal });
    const { _meta: meta, id } = mcpReq;
    const token = meta?.progressToken;
    if (token !== undefined) {
      void reportProgress(turn.events, (progress, message) =>
        mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, progress, message } }),
      );
    }
    return resultOf(await dispatch(turn, { id: String(id), name: params.name, input: params.arguments ?? {} }));
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
