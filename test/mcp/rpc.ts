import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";

export interface RpcMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client of a server over two streams, by hand: what it receives is kept in order. */
export interface RpcClient {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly received: RpcMessage[];
  request(method: string, params?: object): Promise<RpcMessage>;
  notify(method: string, params?: object): void;
  /** Resolves with the first message that fits, past or future. */
  seen(fits: (message: RpcMessage) => boolean): Promise<RpcMessage>;
  initialize(): Promise<RpcMessage>;
}

export function rpcClient(stdin: PassThrough = new PassThrough(), stdout: PassThrough = new PassThrough()): RpcClient {
  const received: RpcMessage[] = [];
  const waiting = new Set<() => void>();
  let ids = 0;
  createInterface({ input: stdout }).on("line", (line) => {
    received.push(JSON.parse(line) as RpcMessage);
    for (const check of waiting) check();
  });
  const write = (message: object): void => void stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  function seen(fits: (message: RpcMessage) => boolean): Promise<RpcMessage> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = received.find(fits);
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  }

  async function request(method: string, params: object = {}): Promise<RpcMessage> {
    ids += 1;
    const id = ids;
    write({ id, method, params });
    return await seen((message) => message.id === id && message.method === undefined);
  }

  return {
    stdin,
    stdout,
    received,
    request,
    seen,
    notify: (method, params = {}) => write({ method, params }),
    async initialize() {
      const answer = await request("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      });
      write({ method: "notifications/initialized" });
      return answer;
    },
  };
}
