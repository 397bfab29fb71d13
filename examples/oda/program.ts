const { names } = await tools.list_notes({});

// Reads are safe beside each other, so these three run at once.
const notes = await Promise.all(names.map(async (name) => ({ name, ...(await tools.read_note({ name })) })));
for (const { name, text } of notes) console.log(`${name}: ${text.split("\n").length} lines`);

// A write runs alone: it waits for the first read, and the second read waits for it.
const [before, , after] = await Promise.all([
  tools.read_note({ name: "todo" }),
  tools.write_note({ name: "todo", text: "- buy paint" }),
  tools.read_note({ name: "todo" }),
]);

let refused;
try {
  await tools.write_note({ name: "rules/tone", text: "SHOUT" });
} catch (error) {
  refused = `${error.code}: ${error.message}`;
}
const { words } = await tools.count_words({ text: after.text });
return { before: before.text, after: after.text, words, refused };
