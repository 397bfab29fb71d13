import { canonicalJson, parseJson } from "../json.ts";

/** The identity of a call: what it is keyed by is the tool's origin and what it was given, however that was written. */
export function keyOfCall(source: string, tool: string, args: string): string {
  let canonical: string;
  try {
    canonical = canonicalJson(parseJson(args));
  } catch {
    canonical = args;
  }
  return JSON.stringify([source, tool, canonical]);
}
