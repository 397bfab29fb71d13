// An agent that reads freely, plans what changes the world, and whose user confirms it.
import { readFileSync } from "node:fs";
import { createDeployment, createRuntime, proposeAction, type Session } from "codecall";
import { type Show, showRun } from "../show.ts";
import { openOutside, type Outside } from "./data.ts";
import { orchestration, readers, type Services, writers } from "./tools.ts";
import { traceOf } from "./trace.ts";

const program = readFileSync(new URL("./program.ts", import.meta.url), "utf8");
const background = (input: string): string => `
const nodes = await tools.graph_semantic_search({ query: ${JSON.stringify(input)}, kinds: ["note"] });
const notes = await Promise.all(nodes.map(({ id }) => tools.read_entity({ id })));
return notes.map(({ text }) => text).join("; ");`;

export async function main(show: Show, outside: Outside = openOutside()): Promise<void> {
  await using runtime = await createRuntime({ processes: { warm: 2, max: 4 } });
  await using deployment = createDeployment();
  for (const tool of readers(outside)) deployment.tool(tool);
  const researcher = await deployment.scope("research").agent("researcher", { form: "code", runtime });

  const desk = deployment.scope("desk");
  for (const tool of [...writers(outside), ...orchestration, proposeAction()]) desk.tool(tool);
  const agent = await desk.agent("orchestrator", { form: "both", runtime });
  const services: Services = {
    async delegate(_, input) {
      const run = await researcher.run(background(input));
      return run.status === "completed" ? run.value : run.toModel();
    },
    confirm: (action) => session.confirm(action, { by: "the user" }),
  };
  await using session: Session = await agent.session("chat-1", { services: { ...services } });

  using turn = session.turn({
    text: "Show me my pipeline this week, and get the harbour going.",
    budget: { calls: 20 },
  });
  show(
    "tools",
    turn
      .surface()
      .tools.map(({ name }) => name)
      .join(", "),
  );

  // Three calls of one response run side by side, and come back in one block, in their order.
  const { results: first } = await turn.dispatch([
    { id: "1", name: "graph_semantic_search", input: { query: "deals" } },
    { id: "2", name: "dashboard_query", input: { kind: "pipeline_by_stage" } },
    { id: "3", name: "graph_semantic_search", input: { query: "invoices", kinds: ["note"] } },
  ]);
  show("first response", first.map(({ name, content }) => `${name}: ${content}`).join("\n"));

  const { results: second } = await turn.dispatch([{ id: "4", name: "run_program", input: { code: program } }]);
  for (const { run } of second) if (run !== undefined) showRun(show, "program", run);

  // The same call with the same id is the same call: nothing is planned twice.
  const proposal = {
    id: "5",
    name: "propose_action",
    input: { tool: "write_card_draft", arguments: { title: "Mill roof", body: "call Per" }, reason: "it waits" },
  };
  await turn.dispatch([proposal]);
  await turn.dispatch([proposal]);
  const [mail, card] = session.planned();
  const tried = { id: "6", name: "execute_planned_action", input: { action: mail?.id ?? "" } };
  const { results: third } = await turn.dispatch([tried]);
  show(
    "asked for in the chat",
    third.map(({ outcome }) => `${outcome?.status}, mails ${outside.mails.size}`).join("\n"),
  );

  // The inbox, where the user has said yes: twice, and it is done once.
  using inbox = session.turn({ text: "inbox", confirmationGated: true });
  const once = await inbox.call("execute_planned_action", { action: mail?.id ?? "" });
  const twice = await session.confirm(mail?.id ?? "", { by: "somebody else" });
  await session.discard(card?.id ?? "", { by: "the user" });
  show("confirmed", `${once.status}, then ${twice.status}; mails ${outside.mails.size}`);
  show(
    "planned",
    session
      .planned()
      .map(({ tool, status, by }) => `${tool}: ${status} by ${by ?? "nobody"}`)
      .join("\n"),
  );

  using short = session.turn({ text: "and the others?", budget: { calls: 3, warnAt: 0.6 } });
  const spent: string[] = [];
  for (const [index, { id }] of [{ id: "deal_1" }, { id: "deal_2" }, { id: "deal_3" }, { id: "note_1" }].entries()) {
    const { results } = await short.dispatch([{ id: `s${index}`, name: "read_entity", input: { id } }]);
    spent.push(...results.map(({ content }) => content.split("\n").at(-1) ?? ""));
  }
  show("a small budget", spent.join("\n"));
  show("trace", traceOf(session.record()));
}
