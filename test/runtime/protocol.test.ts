import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGuestLine } from "../../src/runtime/protocol.ts";

describe("how a program ended", () => {
  const error = { name: "TypeError", message: "m", code: "return_too_large", hint: "h" };

  it("C7 X5 a value that cannot leave has a line of its own, which a thrown error never reads as", () => {
    expect(readGuestLine(`V ${JSON.stringify(error)}`)).toEqual({ kind: "unusable", error });
    expect(readGuestLine(`E ${JSON.stringify(error)}`)).toEqual({ kind: "error", error });
    expect(readGuestLine('V {"name":"a","message":"b","code":"return_not_json"}')).toEqual({
      kind: "unusable",
      error: { name: "a", message: "b", code: "return_not_json" },
    });
  });

  it.each([
    'V {"name":"a","message":"b"}',
    'V {"name":"a","message":"b","code":"cpu_limit"}',
    "V {}",
    "V 1",
    "V",
    "V x",
  ])("X2 %s is none", (line) => {
    expect(readGuestLine(line)).toBe(undefined);
  });

  it("X2 X5 the texts of an error are bounded, and so is the chain of its causes", () => {
    const long = "x".repeat(100_000);
    let sent: Record<string, unknown> = { name: "last", message: "" };
    for (let index = 0; index < 20; index += 1) {
      sent = { name: long, message: long, stack: long, code: long, hint: long, cause: sent };
    }
    const read = readGuestLine(`E ${JSON.stringify(sent)}`);
    if (read?.kind !== "error") throw new Error("no error");
    const lengths: (number | undefined)[][] = [];
    for (let at = read.error as typeof read.error | undefined; at !== undefined; at = at.cause) {
      lengths.push([at.name, at.message, at.stack, at.code, at.hint].map((text) => text?.length));
    }
    expect(lengths).toEqual(Array.from({ length: 6 }, () => [200, 4_000, 8_000, 200, 4_000]));
  });
});

it("X2 any text reads as a guest line or as none", () => {
  const head = fc.constantFrom("C", "N", "X", "T", "K", "L", "W", "S", "U", "R", "V", "E", "");
  const body = fc.oneof(fc.json(), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(head, fc.string({ maxLength: 5 }), body, (kind, seq, text) => {
      const read = readGuestLine(`${kind}${seq} ${text}`);
      expect(read === undefined || typeof read.kind === "string").toBe(true);
    }),
  );
});
