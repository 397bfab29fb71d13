// What a tool hands over as bytes is kept, and a reference goes in its place.
import { Fault } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import type { BinaryPart } from "../registry/tool.ts";
import type { Reference, References } from "./references.ts";

const isPart = (value: unknown): value is BinaryPart =>
  typeof value === "object" &&
  value !== null &&
  "type" in value &&
  "bytes" in value &&
  typeof value.type === "string" &&
  value.type !== "" &&
  value.bytes instanceof Uint8Array;

/** Throws `invalid_tool` for what is no part, `reference_too_large` for too much. */
export function keepPart(references: References, part: BinaryPart): Reference {
  if (!isPart(part)) {
    throw new Fault(
      "invalid_tool",
      'a reference is made of { type, bytes }: a media type such as "image/png", and a Uint8Array',
    );
  }
  // A copy: what the tool writes to its own afterwards is not what was handed over.
  return references.keep(part.type, Uint8Array.from(part.bytes));
}

/** The references of an outcome, each part of bytes kept. */
export const keepParts = (
  references: References,
  parts: readonly (JsonValue | BinaryPart)[],
): readonly (JsonValue | Reference)[] => parts.map((part) => (isPart(part) ? keepPart(references, part) : part));

export const isReference = (value: unknown): value is Reference =>
  typeof value === "object" && value !== null && "ref" in value && typeof value.ref === "string" && "hash" in value;

/** What the model hears of references that stand beside a value. */
export function referencesNote(name: string, given: readonly Reference[]): string | undefined {
  if (given.length === 0) return undefined;
  const told = given.map(({ ref, type, bytes }) => `${ref} (${type}, ${bytes} bytes)`).join(", ");
  return `${name} also gave ${told}; show(ref) in a program hands it on`;
}
