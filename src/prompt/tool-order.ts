import { Fault } from "../errors.ts";
import { unlistedTools } from "../registry/instructions.ts";
import type { OfferedTool } from "../registry/surface.ts";

/**
 * Tools in a named order: each at its place, all others by name where `<unlisted-tools>` stands; a listed tool that is not
 * among them is skipped. Throws `prompt_invalid`, naming the offenders and the tools that exist, where the order lists
 * something twice, names what is not registered, or misses the entry for the rest.
 */
export function arrange(
  tools: readonly OfferedTool[],
  order: readonly string[] | undefined,
  registered: ReadonlySet<string>,
): readonly OfferedTool[] {
  if (order === undefined) return tools;
  refuseUnfit(order, registered);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = new Set(order);
  const rest = tools.filter(({ name }) => !listed.has(name));
  return order.flatMap((name) => (name === unlistedTools ? rest : (byName.get(name) ?? [])));
}

function refuseUnfit(order: readonly string[], registered: ReadonlySet<string>): void {
  const twice = new Set(order.filter((name, index) => order.indexOf(name) < index));
  const unknown = new Set(order.filter((name) => name !== unlistedTools && !registered.has(name)));
  const problems = [
    ...(twice.size === 0 ? [] : [`lists twice ${quoted([...twice])}`]),
    ...(unknown.size === 0 ? [] : [`names no tool with ${quoted([...unknown])}`]),
    ...(order.includes(unlistedTools) ? [] : [`has no entry ${quoted([unlistedTools])}`]),
  ];
  if (problems.length === 0) return;
  const tools = [...registered].toSorted((a, b) => (a < b ? -1 : 1));
  const existing = tools.length === 0 ? "there are no tools" : `the tools are ${quoted(tools.slice(0, shown))}`;
  const more = tools.length > shown ? ` and ${tools.length - shown} more` : "";
  throw new Fault("prompt_invalid", `the order of tools ${problems.join(", ")}; ${existing}${more}`, {
    details: { order, tools },
  });
}

const shown = 200;
const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(", ");
