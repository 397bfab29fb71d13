// Which are the longest source files of this repository? One program, many calls, a short answer.
const { content } = await tools.mcp_files__search_files({ path: "src", pattern: "**/*.ts" });
const paths = content.split("\n");
const files = await Promise.all(
  paths.map(async (path) => {
    const { content: text } = await tools.mcp_files__read_text_file({ path });
    return { file: path.slice(path.indexOf("src/")), lines: text.split("\n").length };
  }),
);
console.log(`${files.length} files`);
return files.sort((a, b) => b.lines - a.lines).slice(0, 3);
