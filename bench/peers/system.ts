/** What every system of the comparison can do; one file under systems/ each. */
export interface System extends AsyncDisposable {
  /** The text by which a program calls a tool, or a promise of its value. */
  readonly call: (tool: string, argumentText: string) => string;
  /** Runs a program and gives its value; rejects where the program fails or is refused. */
  run(program: Program): Promise<unknown>;
}

export interface Program {
  /** Statements, in TypeScript only where `typed` is set. */
  readonly body: string;
  /** The expression whose value the program gives. */
  readonly result: string;
  readonly typed?: boolean;
}

export interface SystemOptions {
  readonly tools: readonly PlainTool[];
  /** Time that a program may take, as far as the system takes such a limit. */
  readonly timeoutMs: number;
}

export type StartSystem = (options: SystemOptions) => Promise<System>;

export interface PlainTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
  readonly outputSchema: object;
  execute(args: Readonly<Record<string, unknown>>): unknown;
}

/** Caps that every system is given, so that each row is within them: calls of a program, calls at once, heap. */
export const caps = { calls: 1_000, concurrency: 32, memoryMb: 64 } as const;

export const systemNames = ["codecall", "codecall-fresh", "tanstack", "utcp", "run", "langchain"] as const;

export type SystemName = (typeof systemNames)[number];

export const titles: Readonly<Record<SystemName, string>> = {
  codecall: "codecall",
  "codecall-fresh": "codecall, each program a new tenant",
  tanstack: "@tanstack/ai-isolate-node 0.1.49",
  utcp: "@utcp/code-mode 1.2.12",
  run: "run 2.1.5",
  langchain: "@langchain/quickjs 0.6.4",
};
