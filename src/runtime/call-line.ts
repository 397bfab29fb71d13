import { type ProvidedName, providedFunctions } from "../program-globals.ts";
import type { GuestLine, GuestTool } from "./protocol.ts";

/** A call that a program asks for. */
export type CallLine = Extract<GuestLine, { kind: "call" | "unoffered" | "bad" }>;

/** What codecall provides stands behind the tools. */
export const providedAt = (tools: readonly GuestTool[], number: number): ProvidedName | undefined =>
  providedFunctions[number - tools.length];

export const nameOfNumber = (tools: readonly GuestTool[], number: number): string =>
  tools[number]?.name ?? providedAt(tools, number) ?? "";
