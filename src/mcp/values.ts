// What a program gets for the answer of an MCP tool:
//   structured content, as it is;
//   else one text block: the object or array that it holds as JSON, or the text;
//   else one other block: a reference `{ ref, type, bytes, hash }` to what is binary, `{ uri, type, text }` of a text resource, a link as it is;
//   else several blocks: an array of these in their order; else null.
// Bytes never travel as base64: neither as a block nor where structured content repeats one.
import { parseText } from "../json-parse.ts";
import { isObject } from "../is-object.ts";
import { bounds } from "../limits.ts";
import { outcome } from "../registry/outcome.ts";
import type { ToolContext } from "../registry/tool.ts";
import { ToolError } from "../errors.ts";

/** How the declared output changes what is made of an answer. */
export interface ValueRules {
  /** The server wraps its value as `{ result }` and says so. */
  readonly wrapped: boolean;
  /** The declared value is text, so text is never read as JSON. */
  readonly text: boolean;
}

/** Keeps bytes and gives their reference. */
export type Keep = ToolContext["reference"];

interface KeptBlocks {
  readonly keep: Keep;
  /** By the base64 text of the blocks. */
  readonly references: Map<string, ReturnType<Keep>>;
}

/** Whether an answer to `tools/call` says anything at all. */
export const isResult = (answer: unknown): answer is Readonly<Record<string, unknown>> =>
  isObject(answer) && (Array.isArray(answer.content) || answer.structuredContent !== undefined);

/** Reads the result of `tools/call`; throws `ToolError` for an answer that reports an error. */
export function readResult(result: unknown, rules: ValueRules, keep: Keep): unknown {
  if (!isObject(result)) throw new ToolError("the server answered with no result");
  const blocks = (Array.isArray(result.content) ? result.content : []) as readonly unknown[];
  if (result.isError === true) throw readError(blocks, result.structuredContent);
  const references: KeptBlocks["references"] = new Map();
  const values = blocks.map((block) => readBlock(block, rules, { keep, references }));
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

function readBlock(block: unknown, rules: ValueRules, kept: KeptBlocks): unknown {
  if (!isObject(block)) return block;
  if (block.type === "text" && typeof block.text === "string") {
    return rules.text ? block.text : (parseJson(block.text) ?? block.text);
  }
  if (typeof block.data === "string") return refer(block.data, block.mimeType, {}, kept);
  if (block.type === "resource" && isObject(block.resource)) {
    const { uri, mimeType, text, blob } = block.resource;
    if (typeof blob === "string") return refer(blob, mimeType, { uri }, kept);
    return { uri, type: mimeType ?? "text/plain", text };
  }
  return block;
}

function refer(
  base64: string,
  type: unknown,
  more: Readonly<Record<string, unknown>>,
  { keep, references }: KeptBlocks,
): Readonly<Record<string, unknown>> {
  const known = references.get(base64);
  const made =
    known ??
    keep({
      type: typeof type === "string" && type !== "" ? type : "application/octet-stream",
      bytes: Buffer.from(base64, "base64"),
    });
  references.set(base64, made);
  return { ...more, ...made };
}

/** Puts the `ref` in the place of every string that repeats the bytes of a block. */
function withoutBytes(value: unknown, references: KeptBlocks["references"], depth = 0): unknown {
  if (typeof value === "string") {
    const reference = references.get(value);
    return reference === undefined ? value : reference.ref;
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
    return parseText(text);
  } catch {
    return undefined;
  }
}
