import { z } from "zod";
import { limitTable } from "../limits.ts";
import type { McpOptions } from "../mcp/index.ts";
import { nearest } from "../nearest.ts";
import type { Form } from "../registry/composition.ts";

const text = z.string().min(1);
const noSse =
  'SSE servers are not supported; give the address of the server\'s streamable HTTP and the type "http", or leave the type out';
const limit = z.number({
  error: ({ input }) => (typeof input === "string" ? `expected number, got ${JSON.stringify(input)}` : undefined),
});
const mcpServer = z.strictObject({
  type: z
    .enum(["stdio", "http", "streamable-http"], { error: ({ input }) => (input === "sse" ? noSse : undefined) })
    .optional(),
  command: text.optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: text.optional(),
  url: text.optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
const override = z.strictObject({
  effects: z.array(z.enum(["read", "write", "external"])).optional(),
  parallelSafe: z.boolean().optional(),
});
const server = z.strictObject({
  prefix: z.string().optional(),
  trusted: z.boolean().optional(),
  keywords: z.array(z.string()).optional(),
  disabled: z.boolean().optional(),
  timeoutMs: z.int().min(1).optional(),
  overrides: z.record(z.string(), override).optional(),
});
const config = z.strictObject({
  $schema: z.string().optional(),
  mcpServers: z.record(text, mcpServer).optional(),
  servers: z.record(text, server).optional(),
  tools: text.optional(),
  form: z.enum(["direct", "code", "both"]).optional(),
  limits: z.record(z.string(), limit).optional(),
  policy: text.optional(),
  record: text.optional(),
  learnOutputs: text.optional(),
  store: text.optional(),
});

/** One entry of `mcpServers`, as hosts of MCP servers write it. */
export interface McpServerEntry {
  readonly type?: "stdio" | "http" | "streamable-http" | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface ConfigText {
  readonly mcpServers?: Readonly<Record<string, McpServerEntry>> | undefined;
  readonly servers?: Readonly<Record<string, McpOptions & { readonly disabled?: boolean | undefined }>> | undefined;
  readonly tools?: string | undefined;
  readonly form?: Form | undefined;
  readonly limits?: Readonly<Record<string, number>> | undefined;
  readonly policy?: string | undefined;
  readonly record?: string | undefined;
  readonly learnOutputs?: string | undefined;
  readonly store?: string | undefined;
}

/** Checks the parsed text of a configuration file; every fault is a sentence that names its place. */
export function parseConfig(value: unknown): { readonly config: ConfigText } | { readonly faults: readonly string[] } {
  const checked = config.safeParse(value);
  return checked.success ? { config: checked.data } : { faults: checked.error.issues.map(describe) };
}

type Path = readonly PropertyKey[];

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(issue.path, key)).join("; ");
  const message = issue.message.replace(/^Invalid (?:input|option): /, "");
  return issue.path.length === 0 ? message : `${issue.path.map(String).join(".")}: ${message}`;
}

export function unknownKey(path: Path, key: string): string {
  const known = knownKeys(path);
  const elsewhere =
    path[0] === "mcpServers" && Object.hasOwn(server.shape, key) ? `; it belongs in servers.${String(path[1])}` : "";
  return `unknown key "${[...path.map(String), key].join(".")}"${elsewhere === "" ? suggest(key, known) : elsewhere}; known here: ${known.join(", ")}`;
}

function knownKeys(path: Path): readonly string[] {
  const [first] = path;
  if (first === undefined) return Object.keys(config.shape);
  if (first === "mcpServers") return Object.keys(mcpServer.shape);
  if (first === "limits") return Object.keys(limitTable);
  return Object.keys((path.length > 2 ? override : server).shape);
}

export function suggest(name: string, candidates: readonly string[]): string {
  const [best] = nearest(name, candidates, 1);
  return best === undefined ? "" : `, did you mean "${best}"?`;
}
