import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { ToolError } from "../../src/errors.ts";
import { type Keep, readResult, type ValueRules } from "../../src/mcp/values.ts";

const plain = { wrapped: false, text: false };
const base64 = Buffer.from("picture").toString("base64");
const hash = `sha256-${createHash("sha256").update("picture").digest("hex")}`;
const ref = `ref of ${hash}`;
const keep: Keep = ({ type, bytes }) => {
  const sum = `sha256-${createHash("sha256").update(bytes).digest("hex")}`;
  return { ref: `ref of ${sum}`, type, bytes: bytes.length, hash: sum };
};
const read = (result: unknown, rules: ValueRules): unknown => readResult(result, rules, keep);
const text = (value: string): { type: string; text: string } => ({ type: "text", text: value });

it("M2 structured content is the value, whatever the text says", () => {
  expect(read({ content: [text("[9]")], structuredContent: { n: 1 } }, plain)).toEqual({ n: 1 });
  expect(read({ content: [], structuredContent: [1] }, plain)).toEqual([1]);
  expect(read({ content: [text("x")], structuredContent: null }, plain)).toBeNull();
});

it.each([
  ['{"n":1}', { n: 1 }],
  [" [1, 2]\n", [1, 2]],
  ["42", "42"],
  ["true", "true"],
  ["null", "null"],
  ['"quoted"', '"quoted"'],
  ["[not json", "[not json"],
  ["", ""],
])("M2 the single text block %j becomes %j", (given, value) => {
  expect(read({ content: [text(given)] }, plain)).toEqual(value);
});

it("M2 text that the output schema declares as a string is never parsed", () => {
  expect(read({ content: [text('{"n":1}')] }, { wrapped: false, text: true })).toBe('{"n":1}');
});

it("M2 a wrapped value is unwrapped only where the server marks it", () => {
  const result = { content: [text("x")], structuredContent: { result: 5 } };
  expect(read(result, { wrapped: true, text: false })).toBe(5);
  expect(read(result, plain)).toEqual({ result: 5 });
});

it("M2 a picture is a reference and never base64", () => {
  const value = read({ content: [{ type: "image", data: base64, mimeType: "image/png" }] }, plain);
  expect(value).toEqual({ ref, type: "image/png", bytes: 7, hash });
});

it("M2 several blocks become an array in their order", () => {
  const content = [
    text("words"),
    text('{"n":1}'),
    { type: "audio", data: base64, mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///a", text: "hello" } },
    { type: "resource", resource: { uri: "file:///b", mimeType: "application/pdf", blob: base64 } },
    { type: "resource_link", uri: "file:///c", name: "c" },
  ];
  expect(read({ content }, plain)).toEqual([
    "words",
    { n: 1 },
    { ref, type: "audio/wav", bytes: 7, hash },
    { uri: "file:///a", type: "text/plain", text: "hello" },
    { uri: "file:///b", ref, type: "audio/wav", bytes: 7, hash },
    { type: "resource_link", uri: "file:///c", name: "c" },
  ]);
});

it("M2 structured content that repeats a picture's bytes holds its ref instead, and the reference goes along", () => {
  const content = [{ type: "image", data: base64, mimeType: "image/png" }];
  const value = read({ content, structuredContent: { list: [{ data: base64, n: 1 }] } }, plain);
  expect(value).toMatchObject({
    structuredContent: { list: [{ data: ref, n: 1 }] },
    references: [{ ref, type: "image/png", bytes: 7, hash }],
  });
});

it("M2 an answer without content is null", () => {
  expect(read({ content: [] }, plain)).toBeNull();
  expect(read({}, plain)).toBeNull();
});

it("M2 isError becomes a ToolError with the text and the payload", () => {
  const thrown = catching(() => read({ content: [text('{"error":"no row","row":7}')], isError: true }, plain));
  expect(thrown).toBeInstanceOf(ToolError);
  expect(thrown).toMatchObject({
    code: "tool_error",
    message: '{"error":"no row","row":7}',
    details: { error: "no row", row: 7 },
  });
});

it("M2 isError prefers structured content as its payload, and joins texts", () => {
  const thrown = catching(() =>
    read({ content: [text("no"), text("row")], structuredContent: [7], isError: true }, plain),
  );
  expect(thrown).toMatchObject({ message: "no\nrow", details: { payload: [7] } });
});

it("M2 isError without a text still says something, and a huge text is cut with its length", () => {
  expect(catching(() => read({ isError: true }, plain))).toMatchObject({
    message: "the tool reported an error without a text",
    details: undefined,
  });
  const long = catching(() => read({ content: [text("x".repeat(5_000))], isError: true }, plain));
  expect(long).toMatchObject({ message: `${"x".repeat(4_000)}… (5000 characters)` });
});

it("M2 an answer that is no object is an error", () => {
  expect(catching(() => read("hello", plain))).toMatchObject({ message: "the server answered with no result" });
});

function catching(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

it("M2 structured content that nests deep beside a picture is handed on for the pipeline to judge", () => {
  let deep: unknown = 1;
  for (let at = 0; at < 20_000; at += 1) deep = [deep];
  const picture = { type: "image", data: "aGVsbG8=", mimeType: "image/png" };
  const value = read({ content: [picture], structuredContent: { deep } }, { wrapped: false, text: false });
  expect(value).toMatchObject({ references: [{ type: "image/png", bytes: 5 }] });
});
