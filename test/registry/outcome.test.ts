import { describe, expect, it } from "vitest";
import { isOutcome, outcome } from "../../src/registry/outcome.ts";

describe("outcome", () => {
  it("C8 carries its parts, frozen and branded, with the status ok unless given", () => {
    const made = outcome({ structuredContent: { a: 1 }, content: "text", references: ["r"], effect: "accepted" });
    expect({ ...made }).toMatchObject({
      structuredContent: { a: 1 },
      content: "text",
      references: ["r"],
      effect: "accepted",
      status: "ok",
    });
    expect(Object.isFrozen(made)).toBe(true);
    expect(isOutcome(made)).toBe(true);
  });

  it("C8 one part is enough, and none is refused", () => {
    for (const parts of [
      { content: "" },
      { structuredContent: null },
      { references: [] },
      { error: { code: "c", message: "m" } },
    ]) {
      expect(isOutcome(outcome(parts))).toBe(true);
    }
    for (const parts of [{}, { status: "ok" as const }, { structuredContent: undefined }]) {
      expect(() => outcome(parts)).toThrow(
        expect.objectContaining({
          code: "invalid_tool",
          message: "outcome: needs at least one of content, structuredContent, references and error",
        }) as Error,
      );
    }
  });

  it("C8 an error makes the status error", () => {
    expect(outcome({ error: { code: "c", message: "m" } }).status).toBe("error");
    expect(() => outcome({ error: { code: "c", message: "m" }, status: "ok" })).toThrow(
      "outcome: an error contradicts status ok",
    );
  });

  it.each<[object, string]>([
    [{ content: "x", status: "refused" }, "outcome: status must be one of ok, planned, pending, error, got refused"],
    [{ content: "x", effect: "maybe" }, "outcome: effect must be one of none, done, accepted, unknown, got maybe"],
    [{ content: 5 }, "outcome: content must be text or an array"],
    [{ references: {} }, "outcome: references must be an array"],
    [{ error: { message: "m" } }, "outcome: error must have a code and a message, both text"],
    [
      { content: "x", callId: "c" },
      'outcome: has no part "callId"; the parts are content, structuredContent, references, status, effect, error',
    ],
  ])("C8 %j is refused", (parts, message) => {
    expect(() => outcome(parts)).toThrow(message);
  });

  it("C8 a look-alike is a plain value", () => {
    for (const value of [
      { structuredContent: 1, status: "ok" },
      null,
      "x",
      [],
      JSON.parse(JSON.stringify(outcome({ content: "x" }))),
    ]) {
      expect(isOutcome(value)).toBe(false);
    }
  });
});
