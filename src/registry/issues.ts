import { nearest } from "../nearest.ts";
import { describeSchema, resolve } from "./describe-schema.ts";
import { describeValue, formatPath, holdsJson } from "./describe-value.ts";
import { childOf, readPointer } from "./json-pointer.ts";

export interface Issue {
  /** Where in the value, as `$.a[0]`. */
  readonly path: string;
  readonly expected: string;
  readonly came: string;
  /** What a schema library says itself, in place of `expected`. */
  readonly message?: string;
}

/** A validator's raw error; `parentSchema`, `schema` and `data` are the very objects of schema and value. */
export interface Complaint {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
  readonly schema?: unknown;
  readonly parentSchema?: unknown;
  readonly data?: unknown;
}

/** Of a value with more mistakes than this the rest goes unsaid. */
const readAtMost = 200;

/** One issue a mistake, in the order found: the branches of a union are one, and so is what an enclosing keyword repeats. */
export function readComplaints(complaints: readonly Complaint[], schema: unknown, value: unknown): readonly Issue[] {
  const kept: Complaint[] = [];
  for (const complaint of complaints.slice(0, readAtMost)) {
    if (complaint.keyword === "if" && kept.length > 0) continue;
    const inside = wrapping.has(complaint.keyword) ? takeInside(kept, complaint, schema) : [];
    kept.push(isUnion(complaint) ? (theMistake(complaint, inside, schema) ?? complaint) : complaint);
  }
  const came = describeEach();
  const issues = kept.map((complaint) => toIssue(complaint, schema, value, came));
  return [...new Map(issues.map((issue) => [sentence(issue), issue])).values()];
}

/** One short line an issue, the first `max` of them. */
export function describeIssues(issues: readonly Issue[], max = 5): string {
  const lines = issues.slice(0, max).map(sentence);
  return (issues.length > max ? [...lines, `and ${issues.length - max} more`] : lines).join("\n");
}

const sentence = ({ path, expected, came, message }: Issue): string =>
  message === undefined ? `${path}: expected ${expected}, came ${came}` : `${path}: ${message}, came ${came}`;

const wrapping: ReadonlySet<string> = new Set(["anyOf", "oneOf", "contains", "propertyNames"]);

const isUnion = ({ keyword, params }: Complaint): boolean =>
  keyword === "anyOf" || (keyword === "oneOf" && (params.passingSchemas ?? null) === null);

/** Takes back the complaints that were made while the keyword's own subschemas were tried. */
function takeInside(kept: Complaint[], { instancePath, schema }: Complaint, root: unknown): readonly Complaint[] {
  const within = reachable(schema, root);
  const isInside = (complaint: Complaint): boolean =>
    complaint.instancePath.startsWith(instancePath) && within.has(complaint.parentSchema);
  return kept.splice(kept.findLastIndex((complaint) => !isInside(complaint)) + 1);
}

/** The first complaint of the only branch that is for a value of this kind, where there is exactly one. */
function theMistake(union: Complaint, inside: readonly Complaint[], root: unknown): Complaint | undefined {
  if (!Array.isArray(union.schema)) return undefined;
  const ofKind = union.schema.flatMap((branch: unknown): readonly (Complaint | undefined)[] => {
    const [here, anywhere] = [reachable(branch, root, inPlace), reachable(branch, root)];
    const own = inside.filter(({ instancePath, parentSchema }) =>
      (instancePath === union.instancePath ? here : anywhere).has(parentSchema),
    );
    return own.length === 0 || own.some((complaint) => isOtherKind(complaint, union)) ? [] : [own[0]];
  });
  return ofKind.length === 1 ? ofKind[0] : undefined;
}

/** A wrong type, or a wrong tag one level down. */
function isOtherKind({ keyword, instancePath }: Complaint, union: Complaint): boolean {
  const below = instancePath.slice(union.instancePath.length);
  if (below === "") return ["type", "const", "enum", "false schema", "anyOf", "oneOf"].includes(keyword);
  return below.lastIndexOf("/") === 0 && (keyword === "const" || keyword === "enum");
}

/** Keywords whose subschemas see the same value. */
const inPlace: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"]);

/** All subschemas below a keyword's value, through local references; literal values among them do no harm. */
function reachable(start: unknown, root: unknown, keywords?: ReadonlySet<string>): ReadonlySet<unknown> {
  const seen = new Set<unknown>();
  const open: unknown[] = [start];
  while (open.length > 0) {
    const next = open.pop();
    if ((next !== false && typeof next !== "object") || next === null || seen.has(next)) continue;
    seen.add(next);
    const all = keywords === undefined || Array.isArray(next);
    open.push(resolve(next, root));
    for (const [key, value] of Object.entries(next)) if (all || keywords.has(key)) open.push(value);
  }
  return seen;
}

/** What came, for a place where the schema may want an object or array. */
type Came = (value: unknown, wantsStructure: boolean) => string;

/** A large value that many complaints are about is looked at once. */
function describeEach(): Came {
  const described = new Map<unknown, { readonly text: string; readonly isJson: boolean }>();
  return (value, wantsStructure) => {
    let one = described.get(value);
    if (one === undefined) described.set(value, (one = { text: describeValue(value), isJson: holdsJson(value) }));
    return wantsStructure && one.isJson ? "a string that holds JSON; pass the value itself" : one.text;
  };
}

function toIssue(complaint: Complaint, root: unknown, value: unknown, describe: Came): Issue {
  const keys = readPointer(complaint.instancePath, value);
  const came = keys.reduce<unknown>(childOf, value);
  const at = (place: readonly (string | number)[], expected: string, found: unknown): Issue => ({
    path: formatPath(place),
    expected,
    came: describe(found, /\b(array|object)\b/.test(expected)),
  });
  const { keyword, params } = complaint;
  if (keyword === "required" || keyword === "dependentRequired") {
    const missing = String(params.missingProperty);
    const wanted = childOf(childOf(complaint.parentSchema, "properties"), missing);
    return at([...keys, missing], describeSchema(wanted ?? {}, root), undefined);
  }
  const extra = params.additionalProperty ?? params.unevaluatedProperty;
  if (typeof extra === "string") return at([...keys, extra], noSuchProperty(extra, complaint), childOf(came, extra));
  return at(keys, expectation(complaint, root), came);
}

function noSuchProperty(extra: string, { parentSchema }: Complaint): string {
  const known = Object.keys((childOf(parentSchema, "properties") as object | undefined) ?? {});
  const near = nearest(extra, known, 1)[0];
  if (near !== undefined) return `no property of this name (did you mean ${JSON.stringify(near)}?)`;
  return known.length === 0
    ? "no properties"
    : `no property of this name (there are ${known.slice(0, 8).join(", ")}${known.length > 8 ? ", …" : ""})`;
}

function expectation({ keyword, params, schema, parentSchema, message }: Complaint, root: unknown): string {
  switch (keyword) {
    case "type":
    case "const":
    case "enum":
    case "anyOf":
    case "false schema":
      return describeSchema(parentSchema, root);
    case "oneOf":
      return isUnion({ keyword, params, instancePath: "" })
        ? describeSchema(parentSchema, root)
        : "what exactly one of the alternatives accepts";
    case "not":
      return `anything but ${describeSchema(schema, root)}`;
    case "pattern":
      return `text that matches ${String(params.pattern)}`;
    case "minLength":
    case "maxLength":
      return `text of ${bound(keyword, params.limit)} characters`;
    case "minItems":
    case "maxItems":
      return `${bound(keyword, params.limit)} items`;
    case "minProperties":
    case "maxProperties":
      return `${bound(keyword, params.limit)} properties`;
    case "uniqueItems":
      return "items that all differ";
    case "multipleOf":
      return `a multiple of ${String(params.multipleOf)}`;
    case "contains":
      return `an item that is ${describeSchema(schema, root)}`;
    case "propertyNames":
      return `another property name than ${describeValue(params.propertyName)}`;
    default:
      return (message ?? "another value").replace(/^must (be |match )?/, "");
  }
}

const bound = (keyword: string, limit: unknown): string =>
  `${keyword.startsWith("min") ? "at least" : "at most"} ${String(limit)}`;
