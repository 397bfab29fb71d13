import { setImmediate as tick } from "node:timers/promises";
import { type AnyTool, defineTool, ToolError } from "codecall";
import { z } from "zod";

export const noteTexts: readonly (readonly [name: string, text: string])[] = [
  ["journal", "Monday: moved in.\nTuesday: met the neighbours.\nWednesday: rain, read all day.\nThursday: market."],
  ["rules/tone", "Write plainly."],
  ["todo", "- buy paint\n- call the plumber"],
];

const note = z.object({ name: z.string() });

/** Tools over a folder of notes. A line takes some time to read, so a short note is there before a long one. */
export function noteTools(notes: Map<string, string>): readonly AnyTool[] {
  return [
    defineTool({
      name: "list_notes",
      description: "Returns the names of all notes",
      outputSchema: z.object({ names: z.array(z.string()) }),
      effects: ["read"],
      parallelSafe: true,
      execute: () => ({ names: [...notes.keys()] }),
    }),
    defineTool({
      name: "read_note",
      description: "Returns the text of a note",
      inputSchema: note,
      outputSchema: z.object({ text: z.string() }),
      effects: ["read"],
      parallelSafe: true,
      async execute({ name }) {
        const text = notes.get(name);
        if (text === undefined) {
          throw new ToolError(`there is no note "${name}"`, { code: "not_found", hint: "list the notes first" });
        }
        for (let lines = text.split("\n").length; lines > 0; lines--) await tick();
        return { text };
      },
    }),
    defineTool({
      name: "write_note",
      description: "Writes a note, in place of the one that has its name, and returns its number of lines",
      inputSchema: note.extend({ text: z.string() }),
      outputSchema: z.object({ lines: z.number() }),
      effects: ["write"],
      async execute({ name, text }) {
        await tick();
        notes.set(name, text);
        return { lines: text.split("\n").length };
      },
    }),
    defineTool({
      name: "delete_note",
      description: "Deletes a note and returns whether it was there",
      inputSchema: note,
      effects: ["write"],
      execute: ({ name }) => notes.delete(name),
    }),
    defineTool({
      name: "fetch_page",
      description: "Returns the text of a web page",
      inputSchema: z.object({ url: z.string() }),
      effects: ["external"],
      execute: () => {
        throw new ToolError("there is no network here");
      },
    }),
  ];
}
