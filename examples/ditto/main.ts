// Tools from their definition to their outcome: what is registered, what is permitted, and what a program gets.
import { readFileSync } from "node:fs";
import { createDeployment, createRuntime } from "codecall";
import { type Show, showRequest, showRun } from "../show.ts";
import { openShop, shopTools } from "./tools.ts";

const orders = readFileSync(new URL("./program.ts", import.meta.url), "utf8");

export async function main(show: Show): Promise<void> {
  await using runtime = await createRuntime({ processes: { warm: 1, max: 1 } });
  await using deployment = createDeployment();
  for (const tool of shopTools(openShop())) deployment.tool(tool);

  // Permission is apart from registration: delete_customer stays out of reach, and a name alone makes no tool.
  const desk = deployment.scope("desk");
  desk.permit(["count_characters", "lookup_customer", "lookup_order", "invoice_of", "ship_order", "send_mail"]);
  const agent = await desk.agent("ditto", { form: "code", runtime });
  await showRequest(show, agent.surface());
  show("warnings", desk.warnings.map(({ message }) => message).join("\n"));

  showRun(show, "count", await agent.run('return await tools.count_characters({ text: "A😀" })'));
  showRun(show, "orders", await agent.run(orders, { identity: "clerk" }));
  showRun(show, "a guest", await agent.run("return await tools.ship_order({ order: 9 })", { identity: "guest" }));
  showRun(show, "not permitted", await agent.run('return await tools.delete_customer({ customer: "c1" })'));
}
