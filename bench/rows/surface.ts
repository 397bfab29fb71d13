import { type AnyTool, createDeployment, type Scope } from "../../src/index.ts";
import { type Case, time } from "../row.ts";

const toolCount = 2_000;
const depth = 5;

const tools = Array.from({ length: toolCount }, (_, index): AnyTool => ({
  name: `server_${index % 40}__tool_${index}`,
  description: `Returns what number ${index} holds.`,
  inputSchema: {
    type: "object",
    properties: { id: { type: "string", description: "which one" }, limit: { type: "integer" } },
    required: ["id"],
  },
  execute: () => index,
}));

/** Nested scopes with as many tools each, the innermost with a mask over the rest. */
function nest(): Scope {
  let scope = createDeployment();
  for (let at = 0; at < depth; at++) {
    if (at > 0) scope = scope.scope(`s${at}`);
    for (const tool of tools.slice((at * toolCount) / depth, ((at + 1) * toolCount) / depth)) scope.tool(tool);
  }
  scope.restrict({ allow: ["server_*"], deny: ["*_13", "server_7__*"] });
  return scope;
}

const look = (scope: Scope): Promise<number> => time(async () => scope.surface().hash);

/** 2,000 tools in five nested scopes: what a request has to look at first, later, and after a change. */
export async function surface(): Promise<Case> {
  const known = nest();
  await look(known);
  const cold = "2,000 tools in 5 scopes, cold";
  return {
    name: "surface",
    rounds: 10,
    rows: [
      {
        name: cold,
        unit: "ms",
        sample: () => look(nest()),
      },
      { name: "nothing changed", unit: "ms", against: cold, sample: () => look(known) },
      {
        name: "a tool was added",
        unit: "ms",
        against: cold,
        sample: (round) => {
          known.tool({ ...(tools[0] as AnyTool), name: `added_${round}` });
          return look(known);
        },
      },
      {
        name: "a section was added",
        unit: "ms",
        against: cold,
        sample: (round) => {
          known.section({ name: `s${round}`, order: round, text: "" });
          return look(known);
        },
      },
    ],
    close: () => Promise.resolve(),
  };
}
