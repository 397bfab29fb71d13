// How programs are written, told from the tables that the sandbox is made of. It names no tool: it stands before the
// declarations, and would change with them.
import { addedGlobals, unavailable } from "../program-globals.ts";

/** Told of by themselves. */
const introduced = new Set(["tools", "ToolError", "console", "state", "results", "show"]);

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const available = code(addedGlobals.filter((name) => !introduced.has(name)));
const absent = code(unavailable.map(({ name }) => name));

const opening = `Write TypeScript statements with top-level \`await\` and \`return\`. Call a tool with one object, \`await tools.name({ ... })\`. Start calls that do not need each other's results together: \`const [a, b] = await Promise.all([tools.x({ ... }), tools.y({ ... })])\`; await one after another only what needs an earlier result or must come after it. Filter and combine results in the program and return only what you need. A failed call throws a \`ToolError\` with \`code\`, \`message\` and \`hint\`; catch it where you can go on. What \`console.log\` prints is shown to you.

\`state\` is an object that the next program finds as you leave it. What is too large to be shown whole has a reference: \`await results.get(ref, { path, offset, limit })\` reads it in parts, \`await show(ref)\` hands an image or a file on.`;

const surroundings = `There are no imports, no network and no files but through tools. Beside the language itself there are ${available}; there is no ${absent}.`;

/** Guidance on programs, where tools can also be called directly (`both`) or only from programs. */
export function programGuidance(form: "code" | "both"): string {
  const single =
    form === "both"
      ? "For a single call whose result you need whole, write no program: call that tool directly."
      : "For a single call whose result you need whole, one line is enough: `return await tools.name({ ... })`.";
  return `${opening} ${single}\n\n${surroundings}`;
}

/** How more tools are had than those that are bound. */
export function searchGuidance(form: "direct" | "code" | "both"): string {
  const opens = "Only some of the tools are bound. When none of them fits, call";
  const never = "Never guess a tool's name.";
  if (form === "direct")
    return `${opens} \`search_tools\` with what you need in plain words, and use what it binds from your next step on. ${never}`;
  return `${opens} \`await tools.search_tools({ query })\` with what you need in plain words, and return its \`text\` and \`declarations\`: the next program calls what it bound by name, the same one as \`tools[name](args)\`. ${never}`;
}
