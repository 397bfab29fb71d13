// The notes at the head of a conformance test: the few keys of its YAML that a runner needs.

export interface FrontMatter {
  readonly flags: readonly string[];
  readonly includes: readonly string[];
  readonly features: readonly string[];
  /** Names that a file of the harness gives to tests. */
  readonly defines: readonly string[];
  /** The error that the test must end in, and when. */
  readonly negative?: { readonly phase: string; readonly type: string };
}

/** The lines below a key that are indented deeper, each without its indentation. */
function block(lines: readonly string[], at: number): string[] {
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => /^\S/.test(line));
  return (end < 0 ? rest : rest.slice(0, end)).map((line) => line.trim()).filter((line) => line !== "");
}

function read(
  lines: readonly string[],
  key: string,
): { readonly inline: string; readonly below: string[] } | undefined {
  const at = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (at < 0) return undefined;
  return { inline: (lines[at] ?? "").slice(key.length + 1).trim(), below: block(lines, at) };
}

/** `[a, b]`, on one line or several, or a line `- a` for each. */
function readList(lines: readonly string[], key: string): string[] {
  const found = read(lines, key);
  if (found === undefined) return [];
  const dashed = found.below.filter((line) => line.startsWith("- ")).map((line) => line.slice(2).trim());
  if (dashed.length > 0) return dashed;
  const text = [found.inline, ...found.below].join(" ").replace(/^\[|\].*$/g, "");
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Reads the notes of a text; a text without any has none of their keys. */
export function readFrontMatter(text: string): FrontMatter {
  const yaml = /\/\*---\r?\n([\s\S]*?)---\*\//.exec(text)?.[1] ?? "";
  const lines = yaml.replaceAll("\r", "\n").split("\n");
  // The whole of it may be indented.
  const margin = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  const flat = lines.map((line) => line.slice(Number.isFinite(margin) ? margin : 0));
  const negative = read(flat, "negative")?.below ?? [];
  const phase = read(negative, "phase")?.inline;
  const type = read(negative, "type")?.inline;
  return {
    flags: readList(flat, "flags"),
    includes: readList(flat, "includes"),
    features: readList(flat, "features"),
    defines: readList(flat, "defines"),
    ...(phase === undefined || type === undefined ? {} : { negative: { phase, type } }),
  };
}
