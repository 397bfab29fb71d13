import { addedGlobals } from "../../program-globals.ts";

/** What the tools' own declarations declare. */
const declaredElsewhere = new Set(["tools", "ToolError"]);

/** Declares what the sandbox adds to the language, for names' sake only: nothing is refused for how it is used. */
export function globalsText(): string {
  const names = addedGlobals.filter((name) => !declaredElsewhere.has(name));
  return names
    .map((name) => `declare var ${name}: any;\n${/^[A-Z]/.test(name) ? `type ${name} = any;\n` : ""}`)
    .join("");
}
