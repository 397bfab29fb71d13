import { createHash } from "node:crypto";

/** The words of a text as the name of a type; `Type` goes before what could not begin one. */
export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const name = words
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
    .slice(0, 40);
  return /^[A-Z]/.test(name) ? name : `Type${name}`;
}

/** A number that stands for a text, as `length` digits to a base. */
export function hashText(text: string, length: number, base: number): string {
  const number = createHash("sha256").update(text).digest().readUIntBE(0, 6);
  return number.toString(base).padStart(length, "0").slice(-length);
}
