import type { AnyTool } from "../../src/index.ts";

const text = { type: "string" };
const number = { type: "number" };
const closed = (properties: object, required: readonly string[] = []): Readonly<Record<string, unknown>> => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const open = (properties: object, required: readonly string[] = []): Readonly<Record<string, unknown>> => ({
  type: "object",
  properties,
  required,
});

const issue = closed(
  {
    id: number,
    title: text,
    state: { enum: ["open", "closed"] },
    labels: { type: "array", items: closed({ name: text, color: text }, ["name"]) },
    assignee: { anyOf: [open({ login: text, user_name: text }), { type: "null" }] },
    created_at: text,
  },
  ["id", "title"],
);
const anIssue = {
  id: 7,
  title: "Broken",
  state: "open",
  labels: [{ name: "bug", color: "red" }],
  assignee: { login: "ada" },
  created_at: "2026-01-01T00:00:00Z",
};

/** The tools that wrong programs get wrong; each answers with what its output schema admits. */
export const tracker: readonly AnyTool[] = [
  {
    name: "get_issue",
    description: "Gets one issue.",
    inputSchema: closed({ owner: text, repo: text, issue_number: number }, ["owner", "repo", "issue_number"]),
    outputSchema: issue,
    execute: () => anIssue,
  },
  {
    name: "list_issues",
    description: "Lists the issues of a repository.",
    inputSchema: open(
      {
        owner: text,
        repo: text,
        state: { enum: ["open", "closed", "all"] },
        labels: { type: "array", items: text },
        per_page: { type: "integer" },
        filter: open({ since: text, author: text }, ["since"]),
      },
      ["owner", "repo"],
    ),
    outputSchema: { type: "array", items: issue },
    execute: () => [anIssue],
  },
  {
    name: "add_comment",
    description: "Adds a comment and returns its number.",
    inputSchema: closed(
      {
        issue_number: number,
        body: text,
        draft: { type: "boolean" },
        target: closed({ line: number, path: text }, ["line"]),
      },
      ["issue_number", "body"],
    ),
    outputSchema: number,
    execute: () => 1,
  },
  {
    name: "fetch-page",
    description: "Gets the text of a page.",
    inputSchema: open({ url: text }, ["url"]),
    execute: () => "<html>",
  },
  {
    name: "search",
    description: "Finds issues.",
    inputSchema: open({ query: { anyOf: [text, { type: "array", items: text }] }, max: { type: "integer" } }, [
      "query",
    ]),
    outputSchema: open(
      {
        total_count: number,
        items: { type: "array", items: issue },
        by_state: { type: "object", additionalProperties: number },
      },
      ["total_count", "items"],
    ),
    execute: () => ({ total_count: 1, items: [anIssue], by_state: { open: 1 } }),
  },
  {
    name: "ping",
    description: "Returns pong.",
    inputSchema: closed({}),
    outputSchema: text,
    execute: () => "pong",
  },
];
