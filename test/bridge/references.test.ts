import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageOf } from "../../src/bridge/page.ts";
import { createReferences } from "../../src/bridge/references.ts";
import type { JsonValue } from "../../src/json.ts";

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("references", () => {
  it("C15 a reference has a random id, a type, bytes and a hash", () => {
    const references = createReferences();
    const reference = references.keep("text/plain", new TextEncoder().encode("picture"));
    expect(reference).toEqual({
      ref: expect.stringMatching(/^ref_[\w-]{22}$/) as string,
      type: "text/plain",
      bytes: 7,
      hash: `sha256-${createHash("sha256").update("picture").digest("hex")}`,
    });
    const ids = new Set(Array.from({ length: 1_000 }, () => references.keep("a/b", "1").ref));
    expect(ids.size).toBe(1_000);
  });

  it("C15 an id of another session, or of nobody, is unknown in the same words", () => {
    const [mine, theirs] = [createReferences(), createReferences()];
    const { ref } = theirs.keep("application/json", "1");
    const made = `ref_${"A".repeat(22)}`;
    for (const one of [ref, made, "__proto__"]) {
      expect(thrownBy(() => mine.find(one))).toMatchObject({
        code: "reference_unknown",
        message: `this session has no reference ${JSON.stringify(one)}`,
        hint: "take the ref from a result of this conversation, as it is",
      });
    }
  });

  it("C15 the oldest gives way to what is over the count or the bytes, and is told apart from what never was", () => {
    const references = createReferences({ count: 2, bytes: 10 });
    const [first, second] = [references.keep("a/b", "1"), references.keep("a/b", "2")];
    const third = references.keep("a/b", "3");
    expect(thrownBy(() => references.find(first.ref))).toMatchObject({
      code: "reference_expired",
      message: `what ${JSON.stringify(first.ref)} stood for is not kept any more`,
      hint: "get it again from where it came from",
    });
    expect(references.find(second.ref).data).toBe("2");
    const large = references.keep("a/b", "x".repeat(10));
    expect(thrownBy(() => references.find(third.ref))).toMatchObject({ code: "reference_expired" });
    expect(references.find(large.ref).data).toBe("x".repeat(10));
    expect(thrownBy(() => references.keep("a/b", "é".repeat(6)))).toMatchObject({
      code: "reference_too_large",
      message: "what is to be kept has 12 bytes; a session keeps 10 at most",
    });
    expect(references.find(large.ref).data).toBe("x".repeat(10));
  });

  it("X10 what it stands for is read by its type: JSON, text, or bytes", () => {
    const references = createReferences();
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const valueOf = (type: string, data: string | Uint8Array): unknown =>
      references.find(references.keep(type, data).ref).value();
    expect(valueOf("application/json", '{"a":[1]}')).toEqual({ a: [1] });
    expect(valueOf("application/ld+json; charset=utf-8", bytes("[1]"))).toEqual([1]);
    expect(valueOf("application/json", bytes("[1"))).toBe("[1");
    expect(valueOf("text/csv", bytes("a,b\n1,ü"))).toBe("a,b\n1,ü");
    expect(valueOf("image/png", bytes("x"))).toEqual(bytes("x"));
  });
});

describe("pages", () => {
  it.each<[JsonValue | Uint8Array, object, JsonValue]>([
    [[1, 2, 3, 4], { offset: 1, limit: 2 }, [2, 3]],
    [[1, 2, 3, 4], { offset: 3 }, [4]],
    [[1, 2], { offset: 5, limit: 1 }, []],
    ["hello", { limit: 2 }, "he"],
    [{ a: 1, b: 2, c: 3 }, { offset: 1, limit: 1 }, { b: 2 }],
    [{ rows: [{ id: 7 }] }, { path: "rows[0].id" }, 7],
    [{ rows: [{ id: 7 }] }, { path: "/rows/0" }, { id: 7 }],
    [{ rows: [1, 2, 3] }, { path: "$.rows", offset: 2 }, [3]],
    [new Uint8Array([1, 2, 3, 4]), { offset: 1, limit: 2 }, "AgM="],
    [new Uint8Array([1, 2, 3]), {}, "AQID"],
  ])("X10 %j by %j is %j", (whole, options, page) => {
    expect(pageOf(whole, options)).toEqual(page);
  });

  it.each<[JsonValue | Uint8Array, object, string, string]>([
    [
      { rows: [1, 2] },
      { path: "rows[2]" },
      "path_not_found",
      'there is no "2" at $.rows: there is an array of 2 items',
    ],
    [{ rows: [1] }, { path: "row" }, "path_not_found", 'there is no "row" at $: there is an object with "rows"'],
    ["abc", { path: "a" }, "path_not_found", 'there is no "a" at $: there is a text of 3 characters'],
    [null, { path: "a" }, "path_not_found", 'there is no "a" at $: there is null'],
    [{ a: 1 }, { path: "a..b" }, "arguments_invalid", '"a..b" is no path'],
    [
      { a: 1 },
      { path: "a", limit: 2 },
      "arguments_invalid",
      "offset and limit page through arrays, texts and objects; there is a number",
    ],
    [
      new Uint8Array(1),
      { path: "a" },
      "path_not_found",
      "what the reference stands for are bytes, in which there are no paths",
    ],
  ])("X10 of %j the page %j is refused: %s", (whole, options, code, message) => {
    expect(thrownBy(() => pageOf(whole, options))).toMatchObject({ code, message });
  });

  it("X10 C15 paging through any JSON gives back the whole", () => {
    const gather = (whole: JsonValue, limit: number): JsonValue => {
      if (typeof whole !== "object" && typeof whole !== "string") return pageOf(whole, {});
      if (whole === null) return pageOf(whole, {});
      const pages: JsonValue[] = [];
      for (let offset = 0; ; offset += limit) {
        const page = pageOf(whole, { offset, limit });
        const size = typeof page === "string" ? page.length : Object.keys(page as object).length;
        if (size === 0) break;
        pages.push(page);
      }
      if (typeof whole === "string") return (pages as string[]).join("");
      return Array.isArray(whole)
        ? pages.flatMap((page) => page as JsonValue[])
        : (Object.fromEntries(pages.flatMap((page) => Object.entries(page as object))) as JsonValue);
    };
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.integer({ min: 1, max: 4 }), (value, limit) => {
        const json = JSON.stringify(value);
        const references = createReferences();
        const kept = references.find(references.keep("application/json", json).ref).value() as JsonValue;
        expect(JSON.stringify(gather(kept, limit))).toBe(JSON.stringify(JSON.parse(json)));
      }),
    );
  });
});
