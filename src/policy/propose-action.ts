import { ToolError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { outcome } from "../registry/outcome.ts";
import { providedSource } from "../registry/provided.ts";
import { describeIssues } from "../registry/schema.ts";
import type { AnyTool, ToolContext } from "../registry/tool.ts";
import type { OfferedTool } from "../registry/surface.ts";
import { homeOf, provide, providedBy } from "./provided.ts";

interface Proposal {
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly reason?: string;
}

const text = { type: "string" } as const;

/** Tools that codecall provides answer to whoever calls them, and mean nothing later. */
const isOwn = ({ tool }: OfferedTool): boolean =>
  tool.source === providedSource || providedBy(tool.definition.execute) !== undefined;

async function propose({ tool: name, arguments: args = {}, reason }: Proposal, context: ToolContext): Promise<unknown> {
  const home = homeOf(context);
  const tool = home.find(name);
  if (tool === undefined) {
    const near = home.nearest(name);
    throw new ToolError(`no tool ${JSON.stringify(name)} is offered here, so no call of it can be planned`, {
      code: "tool_not_offered",
      hint: near.length > 0 ? `did you mean ${near.join(" or ")}?` : undefined,
    });
  }
  if (isOwn(tool)) {
    const why = `${tool.name} changes nothing outside, so there is nothing in it to plan`;
    throw new ToolError(why, { code: "arguments_invalid", hint: "call it by itself" });
  }
  const parsed = await tool.tool.input.parse(args, { text: JSON.stringify(args), signal: () => context.signal });
  if (!parsed.ok) {
    const message = `${tool.name} is planned with arguments that do not match its input: ${describeIssues(parsed.issues)}`;
    throw new ToolError(message, { code: "arguments_invalid" });
  }
  const paths = await home.pathsOf({ tool, args: parsed.value, signal: context.signal });
  if ("status" in paths) throw new ToolError(paths.failure.message, { code: paths.failure.code });
  const { id } = await home.propose({
    tool: tool.name,
    identity: { source: tool.tool.source, name: tool.tool.originalName },
    args: JSON.stringify(args),
    paths,
    ...(reason === undefined ? {} : { reason }),
  });
  const message = `${tool.name} was not executed: it is planned and runs once a person has confirmed it`;
  return outcome({ status: "planned", effect: "none", structuredContent: { id, status: "planned", message } });
}

const definition: AnyTool = Object.freeze({
  name: "propose_action",
  description:
    "Writes down a call of a tool as a planned action for the user to confirm, and returns its id. It never executes anything.",
  inputSchema: {
    type: "object",
    properties: {
      tool: { ...text, minLength: 1, description: "The name of the tool" },
      arguments: { type: "object", description: "What to call it with", additionalProperties: true },
      reason: { ...text, maxLength: 1_000, description: "Why, for the user to read" },
    },
    required: ["tool"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { id: text, status: { const: "planned" }, message: text },
    required: ["id", "status", "message"],
    additionalProperties: false,
  },
  effects: [],
  parallelSafe: true,
  execute: provide("propose_action", propose as AnyTool["execute"]),
});

/** The tool by which a model plans a call of another one: nothing runs until a person has confirmed it. */
export const proposeAction = (): AnyTool => definition;
