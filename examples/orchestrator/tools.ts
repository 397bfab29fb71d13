import { type AnyTool, defineTool, ToolError } from "codecall";
import { type Entity, entities, type Outside } from "./data.ts";

const text = { type: "string" } as const;
const fields = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const kinds = { type: "array", items: { enum: ["deal", "contact", "note"] } } as const;
const node = fields({ id: text, kind: text, name: text });

const wordsOf = (sentence: string): readonly string[] => sentence.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

/** How many words of a question an entity knows. */
const fit = ({ name, text: about, kind }: Entity, words: readonly string[]): number => {
  const own = new Set(wordsOf(`${kind}s ${kind} ${name} ${about}`));
  return words.filter((word) => own.has(word)).length;
};

/** What only reads. */
export const readers = ({ hiccup }: Outside): readonly AnyTool[] => [
  defineTool<{ query: string; kinds?: readonly string[]; limit?: number }>({
    name: "graph_semantic_search",
    description: "Finds entities by a question. Returns ranked nodes, the best first.",
    inputSchema: fields({ query: text, kinds, limit: { type: "integer", minimum: 1, maximum: 50 } }, ["query"]),
    outputSchema: { type: "array", items: node },
    effects: ["read"],
    parallelSafe: true,
    execute({ query, kinds: wanted, limit = 10 }) {
      hiccup("search", "the graph is busy");
      const words = wordsOf(query);
      const found = entities
        .filter((entity) => wanted?.includes(entity.kind) !== false && fit(entity, words) > 0)
        .toSorted((a, b) => fit(b, words) - fit(a, words));
      if (found.length === 0)
        throw new ToolError("graph_semantic_search returned no matches", {
          code: "no_matches",
          hint: "try broader kinds or a more general query",
        });
      return found.slice(0, limit).map(({ id, kind, name }) => ({ id, kind, name }));
    },
  }),
  defineTool<{ id: string }>({
    name: "read_entity",
    description: "Returns all that is known of an entity",
    inputSchema: fields({ id: text }),
    outputSchema: fields(
      { id: text, kind: text, name: text, text, stage: text, value: { type: "integer" }, contact: text },
      ["id", "kind", "name", "text"],
    ),
    effects: ["read"],
    parallelSafe: true,
    execute({ id }) {
      const entity = entities.find((one) => one.id === id);
      if (entity === undefined) throw new ToolError(`there is no entity "${id}"`, { code: "not_found" });
      return { ...entity };
    },
  }),
  defineTool<{ kind: string }>({
    name: "dashboard_query",
    description: "Returns a metric of the dashboard",
    inputSchema: fields({ kind: { enum: ["pipeline_by_stage"] } }),
    outputSchema: fields({ by_stage: { type: "object", additionalProperties: { type: "integer" } } }),
    effects: ["read"],
    parallelSafe: true,
    execute() {
      const deals = entities.filter(({ kind }) => kind === "deal");
      const stages = Map.groupBy(deals, ({ stage = "open" }) => stage);
      const sums = [...stages].map(([stage, list]) => [stage, list.reduce((sum, { value = 0 }) => sum + value, 0)]);
      return { by_stage: Object.fromEntries(sums) as Record<string, number> };
    },
  }),
];

/** What changes something: under its request id once, however often a call of it is tried. */
export const writers = ({ mails, cards, hiccup }: Outside): readonly AnyTool[] => [
  defineTool<{ title: string; body: string }>({
    name: "write_card_draft",
    description: "Writes a card for today and returns how many there are",
    inputSchema: fields({ title: text, body: text }),
    outputSchema: fields({ cards: { type: "integer" } }),
    effects: ["write"],
    idempotent: true,
    execute(card, { requestId }) {
      cards.set(requestId, card);
      // It was written, and the answer is lost on the way: the next attempt comes with the same key.
      hiccup(requestId, "the answer was lost");
      return { cards: cards.size };
    },
  }),
  defineTool<{ to: string; subject: string }>({
    name: "send_email",
    description: "Sends a mail and returns whether it was sent or is planned",
    inputSchema: fields({ to: text, subject: text }),
    outputSchema: fields({ status: text }),
    effects: ["external"],
    idempotent: true,
    execute(mail, { requestId }) {
      mails.set(requestId, mail);
      return { status: "sent" };
    },
  }),
];

/** What a session gives to the tools that act for its user. */
export interface Services {
  /** Runs a named piece of work of another agent. */
  readonly delegate: (workflow: string, input: string) => Promise<unknown>;
  /** Executes what the user has confirmed. */
  readonly confirm: (action: string) => Promise<unknown>;
}

const servicesOf = (services: Readonly<Record<string, unknown>>): Services => services as unknown as Services;

export const orchestration: readonly AnyTool[] = [
  defineTool<{ workflow: string; input: string }>({
    name: "delegate",
    description: "Has another agent do a piece of work that has a name, and returns what it found",
    inputSchema: fields({ workflow: { enum: ["background"] }, input: text }),
    effects: ["read"],
    parallelSafe: true,
    execute: ({ workflow, input }, { services }) => servicesOf(services).delegate(workflow, input),
  }),
  defineTool<{ action: string }>({
    name: "execute_planned_action",
    description: "Executes a planned action that the user has confirmed, and returns what it came to",
    inputSchema: fields({ action: text }),
    // Where nothing may change the outside, asking for it only plans once more.
    effects: ["external"],
    callers: ["direct"],
    execute: ({ action }, { services }) => servicesOf(services).confirm(action),
  }),
];
