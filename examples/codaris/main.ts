// A model that is shown nine tools and finds the others: what is typed, searched and asked for decides what a turn can call.
import { join } from "node:path";
import { type AskHost, createDeployment, type Scope, type Session, type TurnOptions } from "codecall";
import type { Show } from "../show.ts";
import { askOnTerminal } from "./card.ts";
import { commands } from "./commands.ts";
import { alwaysOn, coreTools, sources } from "./tools.ts";

/** The deployment with its core tools, its servers, its commands and its skills. */
export async function openCodaris(log: (line: string) => void): Promise<Scope> {
  const deployment = createDeployment({
    logger: { warn: () => undefined, error: log, info: log },
    roots: [],
    lean: {
      alwaysOn,
      activities: { research: { add: ["web_research", "search_geo_sra", "search_pubmed"] } },
    },
  });
  for (const tool of coreTools) deployment.tool(tool);
  for (const source of sources) await deployment.source(source);
  for (const command of commands) deployment.command(command);
  deployment.skill({ folder: join(import.meta.dirname, "skills") });
  return deployment;
}

export async function main(show: Show, ask: AskHost = askOnTerminal(show)): Promise<void> {
  const log: string[] = [];
  await using deployment = await openCodaris((line) => void log.push(line));
  const agent = await deployment.agent("codaris");
  await using session = await agent.session("chat-1");
  const workingFolder = import.meta.dirname;

  show("always on", names(session, {}));
  show("typed", typed.map((text) => `${text}\n  ${names(session, { text }, alwaysOn.length)}`).join("\n"));
  show("research", names(session, { activity: "research" }, alwaysOn.length));

  using finding = session.turn({ text: "does it lint?", workingFolder });
  const answers = await finding.dispatch([
    { id: "1", name: "search_tools", input: { query: "lint nextflow" } },
    { id: "2", name: "search_tools", input: { query: "how is a pipeline reviewed", kind: "skill" } },
    { id: "3", name: "search_tools", input: { query: "compliance autofix" } },
  ]);
  show("search", answers.results.map(({ content }) => content).join("\n\n"));
  const used = await finding.dispatch([
    { id: "4", name: "mcp_nextflow__lint_nextflow", input: {} },
    { id: "5", name: "read_file", input: { path: "skills/review/SKILL.md" } },
    { id: "6", name: "read_file", input: { path: "../oda/main.ts" } },
    { id: "7", name: "run_compliance_autofix", input: {} },
  ]);
  show("calls", used.results.map(({ name, content }) => `${name}: ${content}`).join("\n"));

  using audit = session.turn({ text: "/audit this", workingFolder });
  const pinned = await audit.dispatch([
    { id: "8", name: "run_compliance_autofix", input: { report_only: false } },
    { id: "9", name: "run_compliance_autofix", input: { report_only: true } },
  ]);
  show("pinned", pinned.results.map(({ content }) => content).join("\n"));

  using review = session.turn({ text: "write that down", activity: "review", workingFolder });
  const note = { id: "10", name: "write_file", input: { path: join(workingFolder, "notes.md"), text: "checked" } };
  const refused = await review.dispatch([note], { ask });
  const { name = "", path } = needed(refused.results[0]?.outcome);
  const asked = await review.dispatch(
    [
      {
        id: "11",
        name: "request_capability",
        input: { name, reason: "to keep the findings", ...(path === undefined ? {} : { path }) },
      },
    ],
    { ask },
  );
  const again = await review.dispatch([{ ...note, id: "12" }], { ask });
  const told = [refused, asked, again].flatMap(({ results }) => results.map(({ content }) => content));
  show("a read-only turn", told.join("\n").replaceAll(workingFolder, "."));
  show("log", log.slice(-3).join("\n"));
}

const typed: readonly string[] = [
  "/review",
  "/review --quick",
  "/review is it safe?",
  "/audit",
  "/remediate",
  "/fix",
  "/rules",
  "/searchData",
  "/extend",
  "/run",
  "/repair",
  "see /home/me/reviews/rnaseq",
  "https://example.org/paper",
];

/** The tools of a turn, without so many of the first. */
function names(session: Session, options: TurnOptions, from = 0): string {
  using turn = session.turn(options);
  return (
    turn
      .surface()
      .tools.slice(from)
      .map(({ name }) => name)
      .join(", ") || "-"
  );
}

function needed(outcome: unknown): { readonly name?: string; readonly path?: string } {
  const details = (outcome as { error?: { details?: { capability?: string; path?: string } } } | undefined)?.error
    ?.details;
  return {
    ...(details?.capability === undefined ? {} : { name: details.capability }),
    ...(details?.path === undefined ? {} : { path: details.path }),
  };
}
