import { nearest } from "../nearest.ts";
import { shorten } from "../shorten.ts";
import type { Complaint } from "./complaint.ts";
import { admitsStructure, describeSchema } from "./describe-schema.ts";
import { describeValue, formatPath, holdsJson } from "./describe-value.ts";
import { childOf, readPointer } from "./json-pointer.ts";
import { foldComplaints, isUnion } from "./union-mistake.ts";

export interface Issue {
  /** Where in the value, as `$.a[0]`. */
  readonly path: string;
  readonly expected: string;
  readonly came: string;
  /** What a schema library says itself, in place of `expected`. */
  readonly message?: string;
}

/** Of a value with more complaints than this the rest goes unsaid. */
const readAtMost = 2_000;
const shownChars = 160;
const shownNames = 8;
/** So many missing properties of one object are told one by one, with what each is. */
const missingApart = 3;
const comparedValues = 2_000;

/** One issue a mistake, in the order found: the branches of a union are one, and so is what an enclosing keyword repeats. */
export function readComplaints(complaints: readonly Complaint[], schema: unknown, value: unknown): readonly Issue[] {
  const kept = gatherMissing(foldComplaints(complaints.slice(0, readAtMost), schema));
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

/** Many missing properties of one object are one complaint, where the first of them stands. */
function gatherMissing(complaints: readonly Complaint[]): readonly Complaint[] {
  const missing = Map.groupBy(
    complaints.filter(({ keyword }) => keyword === "required"),
    ({ instancePath }) => instancePath,
  );
  return complaints.flatMap((complaint) => {
    const group = complaint.keyword === "required" ? (missing.get(complaint.instancePath) ?? []) : [];
    const names = [...new Set(group.map(({ params }) => String(params.missingProperty)))];
    if (names.length <= missingApart) return [complaint];
    return complaint === group[0] ? [{ ...complaint, keyword: "missing", params: { names } }] : [];
  });
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
  const wantsStructure = admitsStructure(complaint.parentSchema, root);
  const at = (place: readonly (string | number)[], expected: string, found: unknown): Issue => ({
    path: formatPath(place),
    expected,
    came: describe(found, wantsStructure),
  });
  const { keyword, params } = complaint;
  if (keyword === "required" || keyword === "dependentRequired") {
    const missing = String(params.missingProperty);
    const wanted = childOf(childOf(complaint.parentSchema, "properties"), missing);
    return at([...keys, missing], describeSchema(wanted ?? {}, root), undefined);
  }
  const extra = params.additionalProperty ?? params.unevaluatedProperty;
  if (typeof extra === "string") return at([...keys, extra], noSuchProperty(extra, complaint), childOf(came, extra));
  const hint = keyword === "enum" ? nearValue(params.allowedValues, came) : "";
  return at(keys, `${expectation(complaint, root)}${hint}`, came);
}

function noSuchProperty(extra: string, { parentSchema }: Complaint): string {
  const known = Object.keys((childOf(parentSchema, "properties") as object | undefined) ?? {});
  const near = nearest(extra, known, 1)[0];
  if (near !== undefined) return `no property of this name (did you mean ${describeValue(near)}?)`;
  return known.length === 0 ? "no properties" : `no property of this name (there are ${listNames(known, ", …")})`;
}

function listNames(names: readonly string[], rest: string): string {
  const shown = shorten(names.slice(0, shownNames).join(", "), shownChars);
  return names.length > shownNames ? `${shown}${rest}` : shown;
}

/** Of values too many to be shown the one that was most likely meant. */
function nearValue(allowed: unknown, came: unknown): string {
  if (!Array.isArray(allowed) || allowed.length <= shownNames || typeof came !== "string") return "";
  const texts = allowed.slice(0, comparedValues).filter((one) => typeof one === "string");
  const near = nearest(came, texts, 1)[0];
  return near === undefined ? "" : ` (did you mean ${describeValue(near)}?)`;
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
      return isUnion({ keyword, params })
        ? describeSchema(parentSchema, root)
        : "what exactly one of the alternatives accepts";
    case "not":
      return `anything but ${describeSchema(schema, root)}`;
    case "pattern":
      return `text that matches ${shorten(String(params.pattern), shownChars)}`;
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
    case "missing": {
      const names = params.names as readonly string[];
      return `the properties ${listNames(names, ` and ${names.length - shownNames} more`)}`;
    }
    default:
      return shorten((message ?? "another value").replace(/^must (be |match )?/, ""), shownChars);
  }
}

const bound = (keyword: string, limit: unknown): string =>
  `${keyword.startsWith("min") ? "at least" : "at most"} ${String(limit)}`;
