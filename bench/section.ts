import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("../docs/benchmarks.md", import.meta.url));

/** The text with what stands between the two marks of a section replaced. */
function withSection(text: string, name: string, body: string): string {
  const [start, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/benchmarks.md has no section "${name}"`);
  return `${text.slice(0, from + start.length)}\n${body.trim()}\n${text.slice(to)}`;
}

/** Replaces a section of docs/benchmarks.md. */
export function writeSection(name: string, body: string): void {
  writeFileSync(path, withSection(readFileSync(path, "utf8"), name, body));
}

/** Of the machine, what the figures depend on. */
export function describeMachine(): string {
  const cpu = cpus()[0]?.model.trim() || "unknown processor";
  return `${availableParallelism()} cores, ${cpu}, Node ${process.version}, ${process.platform}`;
}
