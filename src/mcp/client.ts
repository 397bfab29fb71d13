import {
  Client,
  isJSONRPCResponse,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Fault, messageOf } from "../errors.ts";
import { isObject } from "../is-object.ts";
import { bounds } from "../limits.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { brokenAnswer, createGate, isBroken } from "./gate.ts";
import { identity } from "./identity.ts";
import { messageChars } from "./inbox.ts";
import { type StdioTarget, type StdioTransport, stdioTransport } from "./stdio.ts";

export interface HttpTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type Target = StdioTarget | HttpTarget;

export interface Progress {
  readonly done?: number;
  readonly total?: number;
  readonly message?: string;
}

/** What became of one `tools/call`: answered, refused by the protocol, answered with no answer, cancelled by us, or the connection was lost under it. */
export type Reply =
  | { readonly kind: "answered"; readonly result: unknown }
  | { readonly kind: "refused"; readonly message: string; readonly details: unknown }
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "cancelled" }
  | { readonly kind: "lost"; readonly reason: string };

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** One live connection to one server. */
export interface Connection {
  /** Every page of the server's list, each entry as it came. */
  list(): Promise<readonly unknown[]>;
  call(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<Reply>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Time for the server to start, and to answer each page of its list. */
  readonly timeoutMs: number;
  readonly onListChanged: () => void;
  readonly onLost: () => void;
  /** Gives up the opening. */
  readonly signal: AbortSignal;
}

const maxPages = 1_000;
/** The clock of a call is the pipeline's, which aborts the signal. */
const noTimeout = 2_147_483_647;

/** One broken entry must not cost the whole answer, so nothing is checked before it is used. */
const asItCame = {
  "~standard": { version: 1, vendor: "codecall", validate: (value: unknown) => ({ value }) },
} as const;

/** Opens a connection; rejects with a `Fault` that says for the host what went wrong, the server's last words included. */
export async function connect(target: Target, options: ConnectOptions): Promise<Connection> {
  const client = new Client(identity, { capabilities: {} });
  let lost: string | undefined;
  const { transport, stdio } = openTransport(target, options.onLost, (what) => {
    lost ??= what;
    void close();
  });
  client.setNotificationHandler("notifications/tools/list_changed", () => options.onListChanged());
  try {
    await holding(() => client.connect(transport, { timeout: options.timeoutMs, signal: options.signal }));
  } catch (error) {
    await client.close();
    await stdio?.close();
    throw new Fault("source_failed", explain(error), { cause: error });
  }
  return { list, call, close };

  /** A server's process keeps the host alive only while the host waits for it. */
  async function holding<T>(wait: () => Promise<T>): Promise<T> {
    stdio?.hold();
    try {
      return await wait();
    } finally {
      stdio?.release();
    }
  }

  async function close(): Promise<void> {
    options.onLost();
    await client.close();
  }

  /** What went wrong for the host: how the process ended, else the error, and the server's last words. */
  function explain(error: unknown): string {
    const words = stdio?.lastWords() ?? "";
    const what = stdio?.ended() ?? lost ?? describe(error, options.timeoutMs);
    return words === "" ? what : `${what}; its stderr ends with:\n${words}`;
  }

  async function list(): Promise<readonly unknown[]> {
    const tools: unknown[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const answer = await listPage(cursor);
      if (!isObject(answer) || !Array.isArray(answer.tools)) {
        throw new Fault("source_failed", 'it answered `tools/list` without a list "tools"');
      }
      tools.push(...(answer.tools as readonly unknown[]));
      cursor = typeof answer.nextCursor === "string" && answer.nextCursor !== "" ? answer.nextCursor : undefined;
      if (cursor === undefined) return tools;
      if (seen.has(cursor)) throw new Fault("source_failed", "it gives the same page of its list again and again");
      seen.add(cursor);
    }
    throw new Fault("source_failed", `its list has more than ${maxPages} pages`);
  }

  async function listPage(cursor: string | undefined): Promise<unknown> {
    const params = cursor === undefined ? {} : { cursor };
    try {
      const request = { method: "tools/list", params };
      return await holding(() => client.request(request, asItCame, { timeout: options.timeoutMs }));
    } catch (error) {
      throw new Fault("source_failed", `listing its tools: ${explain(error)}`, { cause: error });
    }
  }

  async function call(name: string, args: Readonly<Record<string, unknown>>, given: CallOptions): Promise<Reply> {
    const request = { method: "tools/call", params: { name, arguments: args } };
    try {
      const result: unknown = await holding(() =>
        client.request(request, asItCame, {
          signal: given.signal,
          timeout: noTimeout,
          onprogress: ({ progress, total, message }) =>
            given.onProgress({
              done: progress,
              ...(total === undefined ? {} : { total }),
              ...(message === undefined ? {} : { message }),
            }),
        }),
      );
      return { kind: "answered", result };
    } catch (error) {
      if (error instanceof ProtocolError) {
        if (isBroken(error)) return { kind: "broken", reason: error.message };
        return { kind: "refused", message: error.message, details: { code: error.code, data: error.data } };
      }
      if (given.signal.aborted) return { kind: "cancelled" };
      return { kind: "lost", reason: explain(error) };
    }
  }
}

interface Opened {
  readonly transport: StdioTransport | StreamableHTTPClientTransport;
  readonly stdio?: StdioTransport;
}

/** `onLost` hears why a server is no longer to be listened to; how a process ended its transport says itself. */
function openTransport(target: Target, onGone: () => void, onLost: (what: string) => void): Opened {
  if ("command" in target) {
    const stdio = stdioTransport(target, onGone, isJSONRPCResponse);
    return { transport: stdio, stdio };
  }
  const headers = target.headers === undefined ? {} : { requestInit: { headers: { ...target.headers } } };
  const fetch = boundedFetch(messageChars, onLost);
  return { transport: gated(new StreamableHTTPClientTransport(new URL(target.url), { ...headers, fetch }), onLost) };
}

/** The same transport with a gate in it; a stream that ends without the answer to its request fails the request. */
function gated(
  transport: StreamableHTTPClientTransport,
  onLost: (what: string) => void,
): StreamableHTTPClientTransport {
  const gate = createGate(isJSONRPCResponse, onLost);
  const start = transport.start.bind(transport);
  const send = transport.send.bind(transport);
  transport.start = () => {
    const deliver = transport.onmessage;
    Object.assign(transport, {
      onmessage(message: Parameters<NonNullable<typeof deliver>>[0]) {
        const admitted = gate.admit({ ...message });
        if (admitted !== undefined) deliver?.(admitted as typeof message);
      },
    });
    return start();
  };
  transport.send = (message, options) => {
    const requests = [message].flat();
    for (const request of requests) gate.sent(request);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      for (const request of requests) {
        if (!("id" in request) || !gate.isOpen(request.id)) continue;
        const broken = brokenAnswer(request.id, "the server ended the stream without an answer");
        transport.onmessage?.(broken as Parameters<NonNullable<typeof transport.onmessage>>[0]);
      }
    };
    return send(message, { ...options, onRequestStreamEnd });
  };
  return transport;
}

function describe(error: unknown, timeoutMs: number): string {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return `no answer within ${timeoutMs} ms`;
  }
  const cause = error instanceof Error && error.cause !== undefined ? ` (${messageOf(error.cause)})` : "";
  const text = messageOf(error) + cause;
  return text.length <= bounds.messageChars ? text : `${text.slice(0, bounds.messageChars)}…`;
}
