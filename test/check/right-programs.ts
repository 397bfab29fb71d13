// Programs as models write them around one call of a tool: each is right whatever the tool gives.
/** A call of a tool, as parts of a program. */
export interface Call {
  /** `tools.name`, or as it must be. */
  readonly tool: string;
  readonly name: string;
  /** Its arguments, as a literal. */
  readonly args: string;
  /** Fields of its result that its output schema lists. */
  readonly fields: readonly string[];
  /** Those of them that are of one plain type, by that type. */
  readonly typed: Readonly<Partial<Record<string, readonly string[]>>>;
}

type Template = (call: Call) => string;

const read = (from: string, field: string): string => `${from}[${JSON.stringify(field)}]`;
const isWord = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(?:class|default|new|in|for|if|function)$/.test(name);
const words = (call: Call): readonly string[] => call.fields.filter(isWord);

const each = ({ typed }: Call, type: string, use: (field: string) => string): string =>
  (typed[type] ?? []).map((field) => use(read("result", field))).join(", ");

export const templates: readonly Template[] = [
  (call) =>
    `const result = await ${call.tool}(${call.args});\nreturn [${each(call, "string", (field) => `(${field} ?? "").trim().toUpperCase().slice(0, 20)`)}].join(" / ");`,
  (call) =>
    `const result = await ${call.tool}(${call.args});\nconst numbers = [${["number", "integer"]
      .map((type) => each(call, type, (field) => `${field} ?? 0`))
      .filter(Boolean)
      .join(", ")}];\nreturn numbers.map((n) => Number(n.toFixed(2))).reduce((a, b) => a + b, 0);`,
  (call) =>
    `const result = await ${call.tool}(${call.args});\nconst seen = [];\nfor (const list of [${each(call, "array", (field) => `${field} ?? []`)}]) {\n  for (const item of list as any[]) seen.push(item?.name ?? item?.id ?? item);\n}\nseen.sort();\nreturn seen.slice(0, 5);`,
  (call) =>
    `const result = await ${call.tool}(${call.args});\nconst lengths = [${each(call, "array", (field) => `(${field} || []).map((item, index) => [index, typeof item]).filter(([index]) => index >= 0).length`)}];\nreturn lengths.reduce((sum, n) => sum + n, 0);`,
  (call) =>
    `const result = await ${call.tool}(${call.args});\nconst flags = { ${(call.typed["boolean"] ?? []).map((field) => `${JSON.stringify(field)}: ${read("result", field)} ? "yes" : "no"`).join(", ")} };\nreturn Object.values(flags).filter((flag) => flag === "yes").length;`,
  (call) =>
    `const results = await Promise.all(["a", "b"].map(() => ${call.tool}(${call.args})));\nreturn results.map((result) => \`\${${each(call, "string", (field) => field) === "" ? "typeof result" : each(call, "string", (field) => field).split(", ")[0]}}\`);`,
  (call) =>
    `const result = await ${call.tool}(${call.args});\nconst label = (value: string | number | undefined, fallback = "-") => value === undefined ? fallback : String(value);\nreturn [${[
      "string",
      "number",
      "integer",
    ]
      .map((type) => each(call, type, (field) => `label(${field})`))
      .filter(Boolean)
      .join(", ")}];`,
  ({ tool, args }) => `const result = await ${tool}(${args});\nreturn result;`,
  ({ tool, args }) =>
    `const result: any = await ${tool}(${args});\nreturn { data: result?.data?.items?.[0], ok: true };`,
  ({ tool, args }) => `const result = (await ${tool}(${args})) as any;\nreturn result?.items?.length ?? 0;`,
  ({ tool, args }) => `const args = ${args};\nconst out = await ${tool}(args);\nreturn typeof out;`,
  ({ tool, args }) => `const args: any = {};\nObject.assign(args, ${args});\nreturn await ${tool}(args);`,
  ({ tool, args }) =>
    `const given = ${args};\nconst args: Record<string, any> = {};\nfor (const [key, value] of Object.entries(given)) args[key] = value;\nreturn await ${tool}(args);`,
  ({ tool, args }) =>
    `const args = JSON.parse(${JSON.stringify(args)});\nconst out = await ${tool}(args);\nreturn JSON.stringify(out).length > 0;`,
  ({ tool, args }) =>
    `const all = await Promise.all([1, 2, 3].map(async (n) => ({ n, value: await ${tool}(${args}) })));\nreturn all.reduce((sum, one) => sum + one.n, 0);`,
  ({ tool, args }) =>
    `try {\n  const value = await ${tool}(${args});\n  return { ok: true, value };\n} catch (error) {\n  return { ok: false, message: error.message };\n}`,
  ({ tool, args }) =>
    `try {\n  return await ${tool}(${args});\n} catch (e: any) {\n  console.error("failed", e.code, (e as Error).message);\n  throw e;\n}`,
  (call) => {
    const [first = "value", ...others] = words(call);
    return `const { ${[first, ...others.slice(0, 2)].join(", ")}, ...rest } = (await ${call.tool}(${call.args})) ?? {};\nreturn [${first} === undefined, Object.keys(rest ?? {}).length];`;
  },
  (call) =>
    `const result = await ${call.tool}(${call.args});\nconst shown = [${call.fields.map((field) => `String(${read("result", field)} ?? "none")`).join(", ")}];\nreturn shown.join(" | ");`,
  ({ tool, args }) =>
    `const result = await ${tool}(${args});\nconst lines = Object.entries(result ?? {}).map(([key, value]) => \`\${key}: \${JSON.stringify(value)}\`);\nreturn lines.join("\\n");`,
  ({ tool, args }) =>
    `const result = await ${tool}(${args});\nconst counts = new Map<string, number>();\nfor (const key of Object.keys(result ?? {})) {\n  const kind = typeof (result as any)[key];\n  counts.set(kind, (counts.get(kind) ?? 0) + 1);\n}\nreturn Object.fromEntries(counts);`,
  ({ tool, args }) =>
    `class Collector<T> {\n  private readonly items: T[] = [];\n  constructor(readonly name: string) {}\n  add(item: T) { this.items.push(item); return this; }\n  get size() { return this.items.length; }\n}\nconst collector = new Collector<unknown>("results");\ncollector.add(await ${tool}(${args})).add(null);\nreturn { name: collector.name, size: collector.size };`,
  ({ tool, args, fields }) =>
    `function pick<T extends object, K extends keyof T>(from: T, ...keys: K[]): Pick<T, K> {\n  const out = {} as Pick<T, K>;\n  for (const key of keys) if (key in from) out[key] = from[key];\n  return out;\n}\nconst result = await ${tool}(${args});\nreturn pick(Object(result) as Record<string, unknown>, ${
      fields
        .slice(0, 2)
        .map((field) => JSON.stringify(field))
        .join(", ") || '"a"'
    });`,
  ({ tool, args }) =>
    `const result = await ${tool}(${args});\nif (!result) return "nothing";\nif (Array.isArray(result)) return result.length;\nreturn "one";`,
  ({ tool, args }) =>
    `let text = "";\nconst value = await ${tool}(${args});\nfor (const key in Object(value)) {\n  text += key + ", ";\n}\ntext = text.slice(0, -2);\nreturn text.toUpperCase();`,
  ({ tool, args }) => `let result;\nresult = await ${tool}(${args});\nif (result == null) result = {};\nreturn result;`,
  ({ tool, args }) =>
    `return ${tool}(${args}).then((value) => ({ value })).catch(() => null).finally(() => console.log("done"));`,
  ({ tool, args }) =>
    `const raw = await ${tool}(${args});\nlet data;\ntry { data = typeof raw === "string" ? JSON.parse(raw) : raw; } catch { data = raw; }\nreturn data;`,
  ({ tool, args }) =>
    `const result = await ${tool}(${args});\nconst list = Array.isArray(result) ? result : [result];\nreturn list.filter(Boolean).map((item: any) => item?.id ?? null);`,
  ({ tool, args }) =>
    `const result = await ${tool}(${args});\nconst list = (result as any)?.items ?? (result as any)?.data ?? result;\nreturn typeof list;`,
  ({ tool, args }) =>
    `const found: any = await ${tool}(${args});\nconst enriched = { ...Object(found), score: 1, tags: ["a"] };\nenriched.score += 1;\nreturn enriched.score;`,
  ({ tool, args }) =>
    `interface Shape { id?: number | string; name?: string }\nconst typed = (await ${tool}(${args})) as unknown as Shape | null;\nreturn typed?.name?.length ?? -1;`,
  ({ tool, args }) =>
    `async function withRetry<T>(run: () => Promise<T>, times = 2): Promise<T> {\n  let last: unknown;\n  for (let i = 0; i < times; i++) {\n    try { return await run(); } catch (error) { last = error; }\n  }\n  throw last;\n}\nreturn await withRetry(() => ${tool}(${args}));`,
  ({ tool, args }) => `async function main() {\n  const value = await ${tool}(${args});\n  return { value };\n}`,
  ({ tool, args }) =>
    `export default async () => {\n  const value = await ${tool}(${args});\n  return value ?? "none";\n};`,
  ({ name, args }) =>
    `async (tools) => {\n  const value = await tools[${JSON.stringify(name)}](${args});\n  return { seen: value !== undefined };\n}`,
  ({ tool, args }) =>
    `Here is the program:\n\n\`\`\`typescript\nconst value = await ${tool}(${args});\nreturn value;\n\`\`\`\n\nIt returns the value.`,
  ({ tool, args }) =>
    `enum Mode { Fast = "fast", Slow = "slow" }\nconst mode: Mode = Mode.Fast;\nconst value = mode === Mode.Fast ? await ${tool}(${args}) : null;\nreturn [mode, value === null];`,
  ({ tool, args }) =>
    `const value = await ${tool}(${args});\nconst letters = JSON.stringify(value).split("").reduce((acc, c) => { acc[c] = (acc[c] || 0) + 1; return acc; }, {});\nreturn Object.keys(letters).length > 0;`,
  ({ tool, args }) =>
    `const seen = new Set();\nfor (const n of [1, 1, 2]) {\n  if (seen.has(n)) continue;\n  seen.add(n);\n  await ${tool}(${args});\n}\nreturn [...seen].sort((a, b) => b - a);`,
  ({ name, args }) =>
    `const t = tools;\nconst name = ${JSON.stringify(name)};\nreturn await (t as any)[name](${args});`,
  ({ name, args }) => `const { [${JSON.stringify(name)}]: call } = tools as any;\nreturn await call(${args});`,
  ({ tool, args }) => `const call = ${tool};\nconst value = await call(${args});\nreturn { value };`,
  ({ tool, args }) =>
    `const dry = false;\nconst args = { ...${args}, ...(dry ? { dry_run: true } : {}) };\nconst value = await ${tool}(args);\nreturn value;`,
  ({ tool, args }) =>
    `let page = 1;\nconst pages: unknown[] = [];\nwhile (page <= 2) {\n  const value = await ${tool}(${args});\n  pages.push(value);\n  page++;\n}\nreturn pages.length;`,
  ({ tool, args }) =>
    `let limit: any = "5";\nlimit = Number(limit);\nconst value = await ${tool}(${args});\nreturn [limit, value].length;`,
  ({ tool, args }) =>
    `const pending = ${tool}(${args});\nconsole.log("started");\nconst value = await pending;\nreturn value;`,
  ({ tool, args }) =>
    `const [first, second] = await Promise.all([${tool}(${args}), ${tool}(${args})]);\nreturn JSON.stringify(first) === JSON.stringify(second);`,
  ({ tool, args }) =>
    `const results = await Promise.allSettled([${tool}(${args})]);\nreturn results.map((r) => r.status === "fulfilled" ? r.value : String(r.reason));`,
  ({ tool, args }) => `const o = {};\no.total = 3;\no["value"] = await ${tool}(${args});\nreturn Object.keys(o);`,
  (call) => {
    const [first = "id"] = call.fields;
    return `const result: any = await ${call.tool}(${call.args});\nconst copy = structuredClone(result ?? {});\nif (typeof copy === "object") copy[${JSON.stringify(first)}] = "changed";\nreturn typeof copy;`;
  },
  (call) => {
    const [first = "id"] = words(call);
    return `const value = await ${call.tool}(${call.args});\nconst inner = value && value.${first};\nreturn inner === undefined ? "absent" : "present";`;
  },
  (call) => {
    const [first = "id"] = words(call);
    return `const value = (await ${call.tool}(${call.args})) || {};\nif (value.${first}) {\n  console.log("has it", value?.${first});\n}\nreturn (value as any).${first} ?? null;`;
  },
  ({ tool, args }) =>
    `class Failure extends Error {\n  constructor(message: string, readonly code: number) { super(message); this.name = "Failure"; }\n}\ntry {\n  await ${tool}(${args});\n  throw new Failure("stop", 7);\n} catch (error) {\n  if (error instanceof Failure) return error.code;\n  if (error instanceof ToolError) return error.code;\n  throw error;\n}`,
  ({ tool, args }) =>
    `const started = Date.now();\nconst value = await ${tool}(${args});\nconst at = new Date(started).toISOString().slice(0, 10);\nreturn { at, took: Date.now() - started >= 0, value };`,
  ({ tool, args }) =>
    `function* count(to: number) { for (let i = 0; i < to; i++) yield i; }\nlet sum = 0;\nfor (const i of count(4)) sum += i;\nawait ${tool}(${args});\nreturn sum;`,
  ({ tool, args }) =>
    `const url = new URL("https://example.org/?a=1");\nurl.searchParams.set("b", String(2));\nconst value = await ${tool}(${args});\nreturn url.href + (value === undefined);`,
  ({ tool, args }) =>
    `const memo = (() => {\n  const cache = {};\n  return async (key) => (cache[key] ??= await ${tool}(${args}));\n})();\nawait memo("a");\nreturn await memo("a");`,
  ({ tool, args }) =>
    `const value = await ${tool}(${args});\nswitch (typeof value) {\n  case "string": return value.length;\n  case "number": return value;\n  case "object": return value === null ? 0 : Object.keys(value).length;\n  default: return -1;\n}`,
  ({ tool, args }) =>
    `type Row = { key: string; value: unknown };\nconst rows: Row[] = Object.entries((await ${tool}(${args})) ?? {}).map(([key, value]) => ({ key, value }));\nrows.sort((a, b) => a.key.localeCompare(b.key));\nreturn rows.map((row) => row.key);`,
];
