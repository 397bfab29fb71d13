import type { AnyTool } from "../registry/tool.ts";
import { homeOf, provide } from "./provided.ts";

const text = { type: "string" } as const;

const definition: AnyTool = Object.freeze({
  name: "request_capability",
  description:
    "Asks the user to allow what was refused, and returns what was granted. Use it only after a refusal named the capability; a path covers itself and what is below it.",
  inputSchema: {
    type: "object",
    properties: {
      name: {
        ...text,
        pattern: "^[a-z][a-z0-9_]*$",
        maxLength: 100,
        description: "The capability, as the refusal named it",
      },
      reason: { ...text, minLength: 1, maxLength: 1_000, description: "Why it is needed, for the user to read" },
      path: { ...text, description: "For which path, where the refusal named one" },
    },
    required: ["name", "reason"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { id: text, capability: text, path: text, scope: { enum: ["once", "session"] } },
    required: ["id", "capability", "scope"],
    additionalProperties: false,
  },
  effects: [],
  parallelSafe: true,
  // The question was put before the call came here; a no has ended it.
  execute: provide("request_capability", (_args: unknown, context: Parameters<typeof homeOf>[0]) => {
    const { granted } = homeOf(context);
    if (granted === undefined) throw new Error("nothing was granted");
    const { id, capability, path, scope } = granted;
    return { id, capability, ...(path === undefined ? {} : { path }), scope };
  }),
});

/** The tool by which a model asks for a capability: a person answers `Allow once`, `Allow for session` or `Deny`. */
export const requestCapability = (): AnyTool => definition;
