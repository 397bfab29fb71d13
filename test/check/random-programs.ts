// Random programs that write into results and read them again in many ways, and what shows whether one of them is right: it
// is run as it is, on results that notice when a field is read that is not there.
import { runInThisContext } from "node:vm";
import * as fc from "fast-check";

const places = ["r", "t", "rows[0]", "rows.at(-1)", "issue", "issue.labels[0]", "issue.assignee", "alias", "part"];
const names = ["id", "name", "total", "label", "title", "status", "color", "0"];
const fit = (name: string): boolean => name !== "0";

const dotted = (place: string, name: string): string => (fit(name) ? `${place}.${name}` : `${place}["${name}"]`);

/** Ways to write a field. */
const writes: readonly ((place: string, name: string, value: string) => string)[] = [
  (place, name, value) => `${dotted(place, name)} = ${value};`,
  (place, name, value) => `${place}["${name}"] = ${value};`,
  (place, name, value) => `${dotted(place, name)} ??= ${value};`,
  (place, name, value) => `Object.assign(${place}, { "${name}": ${value} });`,
  (place, name, value) => `Object.assign(${place}, JSON.parse(JSON.stringify({ "${name}": ${value} })));`,
  (place, name, value) => `Object.assign(${place}, { ["${name}"]: ${value} });`,
  (place, name, value) => `Reflect.set(${place}, "${name}", ${value});`,
  (place, name, value) =>
    `Object.defineProperty(${place}, "${name}", { value: ${value}, writable: true, enumerable: true, configurable: true });`,
  (place, name, value) => `[${dotted(place, name)}] = [${value}];`,
  (place, name, value) => `({ x: ${dotted(place, name)} } = { x: ${value} });`,
  (place, name, value) => `({ x: ${dotted(place, name)} = ${value} } = {});`,
  (place, name, value) => `for (${dotted(place, name)} of [${value}]);`,
  (place, name, value) => `put(${place}, "${name}", ${value});`,
  (place, name, value) => `{ const key = "${name}"; ${place}[key] = ${value}; }`,
  (place, name, value) => `{ const same = ${place}; ${dotted("same", name)} = ${value}; }`,
  (place, name, value) => `[${place}].forEach((one) => { ${dotted("one", name)} = ${value}; });`,
  (place, name, value) => `for (const one of [${place}]) ${dotted("one", name)} = ${value};`,
  (place, name) => `delete ${dotted(place, name)};`,
];

/** Ways to put an item into a list. */
const inserts: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `rows.push({ "${name}": ${value} });`,
  (name, value) => `rows.unshift({ "${name}": ${value} });`,
  (name, value) => `rows.splice(0, 1, { "${name}": ${value} });`,
  (name, value) => `rows[0] = { ...rows[0], "${name}": ${value} };`,
  (name, value) => `rows[rows.length - 1] = { "${name}": ${value} };`,
  (name, value) => `add(rows, { "${name}": ${value} });`,
  (name, value) => `rows.fill({ "${name}": ${value} });`,
  (name, value) => `issue.labels = [{ "${name}": ${value} }];`,
  () => `rows.reverse(); rows.sort(() => 0);`,
  (name, value) => `const more = rows.map((row) => ({ ...row, "${name}": ${value} })); rows.push(...more);`,
];

/** Ways to read a field. */
const reads: readonly ((place: string, name: string) => string)[] = [
  (place, name) => `out.push(${dotted(place, name)});`,
  (place, name) => `out.push(${place}["${name}"]);`,
  (place, name) => `{ const { "${name}": value } = ${place}; out.push(value); }`,
  (place, name) => `{ const same = ${place}; out.push(${dotted("same", name)}); }`,
  (_, name) => `for (const row of rows) out.push(${dotted("row", name)});`,
  (_, name) => `out.push(rows.map((row) => ${dotted("row", name)}));`,
  (_, name) => `out.push(rows.filter((row) => row.id !== 1).map(({ "${name}": value }) => value));`,
  (_, name) => `out.push(rows.find((row) => ${dotted("row", name)} === 1) === undefined);`,
  (place, name) => `if (${dotted(place, name)}) out.push(${dotted(place, name)});`,
  (place) => `out.push(Object.keys(${place}).length, Object.values(${place}).map(String));`,
];

/** Fields that are there before anything is written. */
const there: readonly (readonly [place: string, name: string])[] = [
  ["r", "id"],
  ["alias", "name"],
  ["t", "total"],
  ["rows[0]", "id"],
  ["issue", "title"],
  ["part", "color"],
  ["issue.labels[0]", "name"],
];

const anyWrite = fc.constantFrom(...writes);
const anyInsert = fc.constantFrom(...inserts);
const anyRead = fc.constantFrom(...reads);
const anyPlace = fc.constantFrom(...places);
const anyName = fc.constantFrom(...names);
const anyValue = fc.constantFrom("1", '"x"');

const statements = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(anyWrite, anyRead, anyPlace, anyName, anyValue).map(writeAndRead) },
  { weight: 2, arbitrary: fc.tuple(anyInsert, anyRead, anyName, anyValue).map(insertAndRead) },
  {
    weight: 2,
    arbitrary: fc.tuple(anyRead, fc.constantFrom(...there)).map(([read, [place, name]]) => read(place, name)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(anyWrite, fc.constantFrom("args.filter", "filter"))
      .map(
        ([write, place]) =>
          `{ const filter = {}; const args = { filter }; ${write(place, "status", '"x"')} await tools.need_filter(args); }`,
      ),
  },
  {
    weight: 2,
    arbitrary: anyWrite.map(
      (write) =>
        `{ const args = { filter: {} }; ${write("args.filter", "status", '"x"')} await tools.need_filter(args); }`,
    ),
  },
  { weight: 1, arbitrary: fc.tuple(anyRead, anyPlace, anyName).map(([read, place, name]) => read(place, name)) },
);

function writeAndRead([write, read, place, name, value]: readonly [
  (typeof writes)[number],
  (typeof reads)[number],
  string,
  string,
  string,
]): string {
  return `${write(place, name, value)}\n${read(place, name)}`;
}

function insertAndRead([insert, read, name, value]: readonly [
  (typeof inserts)[number],
  (typeof reads)[number],
  string,
  string,
]): string {
  const text = insert(name, value);
  const place = text.startsWith("issue")
    ? "issue.labels[0]"
    : /unshift|splice|rows\[0\]/.test(text)
      ? "rows[0]"
      : "rows.at(-1)";
  return `{ ${text} }\n${read(place, name)}`;
}

export const randomPrograms: fc.Arbitrary<string> = fc.array(statements, { minLength: 1, maxLength: 3 }).map((parts) =>
  [
    "const put = (into, key, value) => { into[key] = value; };",
    "const add = (list, item) => { list.push(item); };",
    "const r = await tools.get_pair({});",
    "const t = await tools.get_totals({});",
    'const rows = await tools.need_filter({ filter: { status: "x" } });',
    'const issue = await tools.get_issue({ owner: "a", repo: "b", issue_number: 1 });',
    "const alias = r;",
    "const part = issue.labels[0];",
    "const out = [];",
    ...parts,
    "return out;",
  ]
    // A program that needs no helper has none: each makes much of it unsure.
    .filter((line, _, lines) => {
      const helper = /^const (put|add) /.exec(line)?.[1];
      return helper === undefined || lines.some((other) => other.includes(`${helper}(`));
    })
    .join("\n"),
);

type Run = (tools: Readonly<Record<string, (args: unknown) => Promise<unknown>>>) => Promise<unknown>;

/** Whether a program that is run on these results reads nothing that is not there, and gives the tools what they take. */
export async function isRight(program: string, results: Readonly<Record<string, unknown>>): Promise<boolean> {
  let isWrong = false;
  const noticing = <T>(value: T): T => {
    if (typeof value !== "object" || value === null) return value;
    return new Proxy(value, {
      get(target, key, receiver) {
        if (typeof key === "string" && !(key in target) && key !== "then" && key !== "toJSON") isWrong = true;
        return noticing(Reflect.get(target, key, receiver) as unknown);
      },
    });
  };
  const tools = Object.fromEntries(
    Object.entries(results).map(([name, result]) => [
      name,
      async (args: unknown) => {
        if (name === "need_filter" && !isFilter(args)) isWrong = true;
        return noticing(structuredClone(result));
      },
    ]),
  );
  // The text is one of the above; what it writes into is its own.
  const run = runInThisContext(`async (tools) => {\n${program}\n}`) as Run;
  try {
    await run(tools);
  } catch {
    return false;
  }
  return !isWrong;
}

function isFilter(args: unknown): boolean {
  const { filter } = JSON.parse(JSON.stringify(args)) as { readonly filter?: Readonly<Record<string, unknown>> };
  return filter !== undefined && Object.keys(filter).join() === "status" && typeof filter.status === "string";
}
