// How programs are written, told from the tables that the sandbox is made of. It names no tool: it stands before the
// declarations, and would change with them.
import { addedGlobals, unavailable } from "../program-globals.ts";

/** Told of by themselves. */
const introduced = new Set(["tools", "ToolError", "console"]);

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const available = code(addedGlobals.filter((name) => !introduced.has(name)));
const absent = code(unavailable.map(({ name }) => name));

const opening = `Write TypeScript statements with top-level \`await\` and \`return\`. Call a tool with one object, \`await tools.name({ ... })\`. Start calls that do not need each other's results together: \`const [a, b] = await Promise.all([tools.x({ ... }), tools.y({ ... })])\`; await one after another only what needs an earlier result or must come after it. Filter and combine results in the program and return only what you need. A failed call throws a \`ToolError\` with \`code\`, \`message\` and \`hint\`; catch it where you can go on. What \`console.log\` prints is shown to you.`;

const surroundings = `There are no imports, no network and no files but through tools. Beside the language itself there are ${available}; there is no ${absent}.`;

/** Guidance on programs, where tools can also be called directly (`both`) or only from programs. */
export function programGuidance(form: "code" | "both"): string {
  const single =
    form === "both"
      ? "For a single call whose result you need whole, write no program: call that tool directly."
      : "For a single call whose result you need whole, one line is enough: `return await tools.name({ ... })`.";
  return `${opening} ${single}\n\n${surroundings}`;
}
