import { isObject } from "../is-object.ts";
import type { OfferedTool } from "../registry/surface.ts";

const link = /\bhttps?:\/\/[^\s<>"'`]+/i;
const urlNames = new Set(["url", "urls", "uri", "uris"]);

/** Of each source whose keywords hold `url`, the tool that fetches one, where the text holds a link. */
export function fetchersFor(text: string, tools: readonly OfferedTool[]): readonly OfferedTool[] {
  if (!link.test(text)) return [];
  const marked = tools.filter(({ tool }) => tool.definition.keywords?.some((word) => word.toLowerCase() === "url"));
  return [...Map.groupBy(marked, ({ tool }) => tool.source).values()].flatMap((own) => {
    const taking = own.filter(takesUrl);
    const candidates = taking.length > 0 ? taking : own;
    return candidates.find(({ name }) => /fetch/i.test(name)) ?? candidates[0] ?? [];
  });
}

function takesUrl({ tool }: OfferedTool): boolean {
  const { properties } = tool.input.json;
  return isObject(properties) && Object.keys(properties).some((name) => urlNames.has(name.toLowerCase()));
}
