// Names are data. What a tool is called never depends on its place in a list or on a tool that does not contend for
// the same name: a clean name belongs to its exact owner, or else to the only tool that cleans to it; all others carry
// a hash of themselves alone, long enough that no two meet.
import { createHash } from "node:crypto";
import { Fault } from "../errors.ts";
import { isIdentifier } from "../json-path.ts";
import type { Warning } from "./warning.ts";

export interface Named {
  readonly name: string;
  readonly source: string;
}

export interface Names {
  readonly name: string;
  /** The one accessor `tools.<alias>` of a tool whose name is no identifier. */
  readonly alias?: string;
  /** What a provider's tools array may hold. */
  readonly providerName: string;
}

export interface NameOptions {
  readonly maxProviderName?: number;
  /** Provider names that are taken, as the code tool's. */
  readonly reserved?: readonly string[];
}

interface Style {
  readonly kind: "alias_clash" | "provider_name_clash";
  readonly fits: (name: string) => boolean;
  /** The clean form of a name that does not fit; `whole` is false where something was cut off. */
  readonly clean: (name: string) => { readonly text: string; readonly whole: boolean };
  readonly max: number;
  readonly taken: readonly string[];
}

const digits = [6, 8, 12, 16, 24, 32, 64];

/** Names of each tool in the order given; throws `duplicate_tool` where final names are equal. */
export function assignNames(
  tools: readonly Named[],
  { maxProviderName = 64, reserved = [] }: NameOptions = {},
): { readonly names: readonly Names[]; readonly warnings: readonly Warning[] } {
  refuseEqual(tools);
  const warnings: Warning[] = [];
  const aliases = assign(tools, aliasStyle, warnings);
  const provided = assign(tools, providerStyle(maxProviderName, reserved), warnings);
  const names = tools.map(({ name }, index): Names => {
    const alias = aliases[index] ?? name;
    const providerName = provided[index] ?? name;
    return Object.freeze(alias === name ? { name, providerName } : { name, alias, providerName });
  });
  return { names, warnings };
}

const aliasStyle: Style = {
  kind: "alias_clash",
  fits: isIdentifier,
  clean: (name) => {
    const text = name.replace(/[^\w$]/g, "_").replace(/^(?=\d)/, "_");
    return /[A-Za-z\d]/.test(text) ? { text, whole: true } : { text: "tool", whole: false };
  },
  max: Infinity,
  taken: [],
};

const providerStyle = (max: number, taken: readonly string[]): Style => ({
  kind: "provider_name_clash",
  fits: (name) => name.length <= max && /^[\w-]+$/.test(name) && !taken.includes(name),
  clean: (name) => {
    const text = name.replace(/[^\w-]/g, "_");
    return { text, whole: text.length <= max && !taken.includes(text) };
  },
  max,
  taken,
});

function refuseEqual(tools: readonly Named[]): void {
  if (new Set(tools.map(({ name }) => name)).size === tools.length) return;
  const owners = new Map<string, Named>();
  for (const tool of tools) {
    const other = owners.get(tool.name);
    if (other !== undefined) {
      const message = `two tools are named ${quote(tool.name)}, one from ${quote(other.source)} and one from ${quote(tool.source)}`;
      throw new Fault("duplicate_tool", message, {
        hint: "give one of them another name or a prefix",
        details: { name: tool.name },
      });
    }
    owners.set(tool.name, tool);
  }
}

function assign(tools: readonly Named[], style: Style, warnings: Warning[]): readonly string[] {
  const fitting = tools.filter(({ name }) => style.fits(name));
  if (fitting.length === tools.length) return tools.map(({ name }) => name);
  const exact = new Map(fitting.map((tool) => [tool.name, tool]));
  const cleaned = tools.map((tool) => (exact.has(tool.name) ? undefined : style.clean(tool.name)));
  const contenders = Map.groupBy(tools.keys(), (index) => cleaned[index]?.text);
  const isFree = (index: number): boolean => {
    const clean = cleaned[index];
    return clean !== undefined && clean.whole && !exact.has(clean.text) && contenders.get(clean.text)?.length === 1;
  };
  const settled = tools.map((tool, index) =>
    cleaned[index] === undefined ? tool.name : isFree(index) ? cleaned[index].text : "",
  );
  hashRest(tools, style, cleaned, settled);

  for (const [index, tool] of tools.entries()) {
    const clean = cleaned[index];
    if (clean === undefined || !clean.whole || isFree(index)) continue;
    const owner = exact.get(clean.text);
    const others =
      owner === undefined
        ? (contenders.get(clean.text) ?? []).filter((other) => other !== index).map((other) => tools[other])
        : [owner];
    const clash = others.map((other) => quote(other?.name ?? "")).join(", ");
    warnings.push({
      kind: style.kind,
      tool: tool.name,
      message: `the tools ${quote(tool.name)} and ${clash} clean to one name, ${quote(clean.text)}; ${quote(tool.name)} is called ${quote(settled[index] ?? "")}`,
    });
  }
  return settled;
}

/** Fills the gaps with hashed names, taking more digits for those that meet another name. */
function hashRest(
  tools: readonly Named[],
  style: Style,
  cleaned: readonly ({ text: string } | undefined)[],
  settled: string[],
): void {
  const taken = new Set([...settled.filter((name) => name !== ""), ...style.taken]);
  let open = settled.flatMap((name, index) => (name === "" ? [index] : []));
  for (const length of digits.filter((count) => count <= style.max - 2)) {
    const candidates = new Map(
      open.map((index) => [index, hashed(tools[index] as Named, cleaned[index]?.text ?? "", length, style.max)]),
    );
    const counts = Map.groupBy(candidates.values(), (candidate) => candidate);
    const failed: number[] = [];
    for (const [index, candidate] of candidates) {
      if (taken.has(candidate) || counts.get(candidate)?.length !== 1) failed.push(index);
      else settled[index] = candidate;
    }
    for (const candidate of candidates.values()) taken.add(candidate);
    if (failed.length === 0) return;
    open = failed;
  }
  if (open.length === 0) return;
  const names = open.map((index) => quote(tools[index]?.name ?? "")).join(", ");
  throw new Fault("duplicate_tool", `no name of at most ${style.max} characters tells these tools apart: ${names}`, {
    hint: "give them names that differ more, or raise maxProviderName",
  });
}

function hashed(tool: Named, clean: string, length: number, max: number): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([tool.source, tool.name]))
    .digest("hex")
    .slice(0, length);
  return `${clean.slice(0, max - length - 1)}_${digest}`;
}

const quote = (text: string): string => JSON.stringify(text);
