// A name and a description at the head of a Markdown file: in front matter, else the first heading and the text below it.
export interface FrontMatter {
  readonly title?: string;
  readonly description?: string;
}

const fence = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

export function readFrontMatter(text: string): FrontMatter {
  const whole = text.replace(/^\uFEFF/, "");
  const front = fence.exec(whole);
  const body = front === null ? whole : whole.slice(front[0].length);
  const own = front === null ? {} : fieldsOf(front[1] ?? "");
  const title = own["name"] ?? own["title"] ?? headingOf(body);
  const description = own["description"] ?? paragraphOf(body);
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

/** Plain `key: value` lines, quoted or not; a value that goes on in indented lines is joined to one. */
function fieldsOf(front: string): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  let last: string | undefined;
  for (const line of front.split(/\r?\n/)) {
    const field = /^([A-Za-z][\w-]*):[ \t]*(.*)$/.exec(line);
    if (field !== null) {
      last = field[1]?.toLowerCase() ?? "";
      const value = (field[2] ?? "").trim();
      fields.set(last, /^[>|][+-]?$/.test(value) ? "" : value);
    } else if (last !== undefined && /^\s+\S/.test(line)) {
      fields.set(last, `${fields.get(last) ?? ""} ${line.trim()}`.trim());
    }
  }
  const read = [...fields].map(([key, value]) => [key, unquoted(value)] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== ""));
}

const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;

function headingOf(body: string): string | undefined {
  const text = /^#{1,6}[ \t](.*)$/m.exec(body)?.[1]?.trim().replace(/#+$/, "").trim();
  return text === "" ? undefined : text;
}

function paragraphOf(body: string): string | undefined {
  const paragraphs = body.split(/\r?\n[ \t]*\r?\n/).map((one) => one.replace(/^#{1,6}[ \t].*$/gm, "").trim());
  return paragraphs.find((one) => /^[\p{L}\p{N}"'`*_([]/u.test(one))?.replaceAll(/\s+/g, " ");
}
