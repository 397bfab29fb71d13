// An agent in code form: the model sees one tool and a prompt, and reaches everything else from programs.
import { readFileSync } from "node:fs";
import { createRuntime } from "codecall";
import { type Show, showRequest, showRun, timeline } from "../show.ts";
import { openDeployment, openEditor } from "./deployment.ts";
import { noteTexts } from "./notes.ts";

const program = readFileSync(new URL("./program.ts", import.meta.url), "utf8");

export async function main(show: Show): Promise<void> {
  await using runtime = await createRuntime({ processes: { warm: 1, max: 1 } });
  await using deployment = openDeployment(new Map(noteTexts));
  const agent = await openEditor(deployment).agent("oda", { form: "code", runtime });

  await using session = await agent.session("chat-1");
  using turn = session.turn({ workingFolder: "/home/marlowe/notes", text: "Tidy up my notes." });
  await showRequest(show, turn.surface());

  const watched = Array.fromAsync(turn.events);
  // One response of the model: a direct call, which this form refuses, and a program.
  const { results } = await turn.dispatch([
    { id: "use_1", name: "read_note", input: { name: "todo" } },
    { id: "use_2", name: "run_program", input: { code: program } },
  ]);
  turn[Symbol.dispose]();
  const events = await watched;
  for (const { name, content, run } of results) {
    if (run === undefined) {
      show(`direct call of ${name}`, content);
      continue;
    }
    showRun(show, "program", run);
    show("calls as they started (+) and ended (-)", timeline(run, events));
  }
}
