import { createDeployment, defineTool, type Scope } from "codecall";
import { z } from "zod";
import { noteTools } from "./notes.ts";

/** A deployment over these notes; its own agents have all the tools. */
export function openDeployment(notes: Map<string, string>): Scope {
  const deployment = createDeployment({
    // Said only where a scope switches it on.
    identity: "You are Oda, an agent for a folder of notes.",
    // Declarations of tools stand in the prompt, not in the code tool's description.
    declareIn: "prompt",
  });
  for (const tool of noteTools(notes)) deployment.tool(tool);
  deployment.persona({ prefix: "You answer for {{household}}.", suffix: "Answer in one paragraph." });
  deployment.variable("household", "the Marlowe household");
  deployment.section({ name: "notes", order: 200, text: "The notes are in {{working_folder}}." });
  deployment.section({ name: "work", order: 100, text: "Work through the request step by step." });
  deployment.context({ name: "folder", text: () => `There are ${notes.size} notes.` });
  // It changes which calls run, and nothing of what the model is shown.
  deployment.guard("frozen-rules", ({ name, args }) =>
    name === "write_note" && String((args as { name: unknown }).name).startsWith("rules/")
      ? "notes below rules/ are frozen"
      : undefined,
  );
  return deployment;
}

/** A narrower scope: it replaces parts of the prompt by name, and narrows the tools that come from above. */
export function openEditor(deployment: Scope): Scope {
  const editor = deployment.scope("editor");
  editor.identity(true);
  editor.persona({ suffix: "Answer with the names of the notes you changed." });
  editor.section({ name: "work", order: 100, text: "Read a note before you change it." });
  editor.adjust("tidying", (sections, { text }) =>
    text?.startsWith("Tidy") === true
      ? [...sections, { name: "tidying", order: 300, text: "Cross off what is done, and keep the rest as it is." }]
      : undefined,
  );
  // Restrictions intersect: only what both let pass is left, and fetch_page and delete_note are gone.
  editor.restrict({ allow: ["*_note*"] });
  editor.restrict({ deny: ["delete_*"] });
  // None of them reaches what the scope itself registers.
  editor.tool(
    defineTool({
      name: "count_words",
      description: "Returns the number of words in a text",
      inputSchema: z.object({ text: z.string() }),
      outputSchema: z.object({ words: z.number() }),
      effects: [],
      parallelSafe: true,
      execute: ({ text }) => ({ words: text.split(/\s+/).filter(Boolean).length }),
    }),
  );
  editor.toolOrder(["list_notes", "read_note", "<unlisted-tools>"]);
  return editor;
}
