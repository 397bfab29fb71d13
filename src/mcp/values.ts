// What a program gets for the answer of an MCP tool:
//   structured content, as it is;
//   else one text block: the object or array that it holds as JSON, or the text;
//   else one other block: a reference `{ type, bytes, hash }` to what is binary, `{ uri, type, text }` of a text resource, a link as it is;
//   else several blocks: an array of these in their order; else null.
// Bytes never travel as base64: neither as a block nor where structured content repeats one.
import { createHash } from "node:crypto";
import { isObject } from "../is-object.ts";
import { bounds } from "../limits.ts";
import type { JsonValue } from "../json.ts";
import { outcome } from "../registry/outcome.ts";
import { ToolError } from "../errors.ts";

/** How the declared output changes what is made of an answer. */
export interface ValueRules {
  /** The server wraps its value as `{ result }` and says so. */
  readonly wrapped: boolean;
  /** The declared value is text, so text is never read as JSON. */
  readonly text: boolean;
}

/** Whether an answer to `tools/call` says anything at all. */
export const isResult = (answer: unknown): answer is Readonly<Record<string, unknown>> =>
  isObject(answer) && (Array.isArray(answer.content) || answer.structuredContent !== undefined);

/** Reads the result of `tools/call`; throws `ToolError` for an answer that reports an error. */
export function readResult(result: unknown, rules: ValueRules): unknown {
  if (!isObject(result)) throw new ToolError("the server answered with no result");
  const blocks = (Array.isArray(result.content) ? result.content : []) as readonly unknown[];
  if (result.isError === true) throw readError(blocks, result.structuredContent);
  const references = new Map<string, JsonValue>();
  const values = blocks.map((block) => readBlock(block, rules, references));
  if (result.structuredContent === undefined) {
    if (values.length === 0) return null;
    return values.length === 1 ? values[0] : values;
  }
  const structured =
    references.size === 0 ? result.structuredContent : withoutBytes(result.structuredContent, references);
  const value = rules.wrapped && isObject(structured) && "result" in structured ? structured.result : structured;
  return references.size === 0 ? value : outcome({ structuredContent: value, references: [...references.values()] });
}

function readError(blocks: readonly unknown[], structured: unknown): ToolError {
  const texts = blocks.flatMap((block) => (isObject(block) && typeof block.text === "string" ? [block.text] : []));
  const text = texts.join("\n").trim() || "the tool reported an error without a text";
  const message =
    text.length <= bounds.messageChars ? text : `${text.slice(0, bounds.messageChars)}… (${text.length} characters)`;
  const parsed = texts.length === 1 ? parseJson(texts[0] as string) : undefined;
  const payload = structured ?? (typeof parsed === "object" ? parsed : undefined);
  return new ToolError(message, payload === undefined ? {} : { details: isObject(payload) ? payload : { payload } });
}

function readBlock(block: unknown, rules: ValueRules, references: Map<string, JsonValue>): unknown {
  if (!isObject(block)) return block;
  if (block.type === "text" && typeof block.text === "string") {
    return rules.text ? block.text : (parseJson(block.text) ?? block.text);
  }
  if (typeof block.data === "string") return refer(block.data, block.mimeType, {}, references);
  if (block.type === "resource" && isObject(block.resource)) {
    const { uri, mimeType, text, blob } = block.resource;
    if (typeof blob === "string") return refer(blob, mimeType, { uri }, references);
    return { uri, type: mimeType ?? "text/plain", text };
  }
  return block;
}

function refer(
  base64: string,
  type: unknown,
  more: Readonly<Record<string, unknown>>,
  references: Map<string, JsonValue>,
): Readonly<Record<string, unknown>> {
  const bytes = Buffer.from(base64, "base64");
  const hash = `sha256-${createHash("sha256").update(bytes).digest("hex")}`;
  const reference = {
    ...more,
    type: typeof type === "string" ? type : "application/octet-stream",
    bytes: bytes.length,
    hash,
  };
  references.set(base64, reference);
  return reference;
}

/** Puts the hash in the place of every string that repeats the bytes of a block. */
function withoutBytes(value: unknown, references: ReadonlyMap<string, JsonValue>, depth = 0): unknown {
  if (typeof value === "string") {
    const reference = references.get(value);
    return isObject(reference) ? reference.hash : value;
  }
  // What nests deeper is refused later anyway.
  if (depth > bounds.jsonDepth) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => withoutBytes(item, references, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutBytes(item, references, depth + 1)]),
  );
}

/** The object or array that a text holds; a text that is a bare scalar stays text. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
