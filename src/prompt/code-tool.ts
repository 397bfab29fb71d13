/** The code tool's description: how to write a program, then what it may call. */
export function codeToolDescription(declarations: string): string {
  return `Runs a TypeScript program that calls tools and returns one value.

Write statements with top-level await and return. Call tools as tools.name({ ... }) and await them; run independent calls together: const [a, b] = await Promise.all([tools.x({}), tools.y({})]). Filter and combine results in the program and return only what you need. A failed call throws a ToolError with code, message and hint; catch it where you can go on. console.log is shown to you. There are no imports, no network and no files: only the tools below and the standard JavaScript globals. For a single call whose whole result you need, one line is enough: return await tools.name({ ... })

\`\`\`ts
${declarations.trimEnd()}
\`\`\``;
}
