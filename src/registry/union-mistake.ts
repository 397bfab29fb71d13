// Of a union that nothing matched a validator complains branch by branch. What helps is the one mistake in the branch that
// was most likely meant: the only one for a value of this kind, the one of its tag, or the one with the fewest mistakes.
import type { Complaint } from "./complaint.ts";
import { resolve } from "./describe-schema.ts";
import { isObject } from "../is-object.ts";
import { childOf, pointerKey } from "./json-pointer.ts";

export const isUnion = ({ keyword, params }: Pick<Complaint, "keyword" | "params">): boolean =>
  keyword === "anyOf" || (keyword === "oneOf" && (params.passingSchemas ?? null) === null);

const wrapping: ReadonlySet<string> = new Set(["anyOf", "oneOf", "contains", "propertyNames"]);

/** What stands for the complaints of unions and of other keywords that try their subschemas; each in its place. */
export function foldComplaints(complaints: readonly Complaint[], root: unknown): readonly Complaint[] {
  const reach = reacher(root);
  const kept: Complaint[] = [];
  for (const complaint of complaints) {
    if (complaint.keyword === "if" && kept.length > 0) continue;
    const inside = wrapping.has(complaint.keyword) ? takeInside(kept, complaint, reach) : [];
    kept.push(isUnion(complaint) ? (theMistake(complaint, inside, root, reach) ?? complaint) : complaint);
  }
  return kept;
}

/** Takes back the complaints that were made while the keyword's own subschemas were tried. */
function takeInside(kept: Complaint[], { instancePath, schema }: Complaint, reach: Reach): readonly Complaint[] {
  const within = reach(schema, false);
  const isInside = (complaint: Complaint): boolean =>
    complaint.instancePath.startsWith(instancePath) && within.has(complaint.parentSchema);
  return kept.splice(kept.findLastIndex((complaint) => !isInside(complaint)) + 1);
}

function theMistake(
  union: Complaint,
  inside: readonly Complaint[],
  root: unknown,
  reach: Reach,
): Complaint | undefined {
  if (!Array.isArray(union.schema)) return undefined;
  const branches: readonly unknown[] = union.schema;
  const ofKind = branches
    .map((branch) =>
      inside.filter(({ instancePath, parentSchema }) =>
        reach(branch, instancePath === union.instancePath).has(parentSchema),
      ),
    )
    .filter((own) => own.length > 0 && !own.some((complaint) => isOtherKind(complaint, union)));
  if (ofKind.length === 0) return wrongTag(union, branches, root);
  const fewest = Math.min(...ofKind.map((own) => own.length));
  const nearest = ofKind.filter((own) => own.length === fewest);
  return nearest.length === 1 ? nearest[0]?.[0] : undefined;
}

/** A wrong type, or a wrong tag one level down. */
function isOtherKind({ keyword, instancePath }: Complaint, union: Complaint): boolean {
  const below = instancePath.slice(union.instancePath.length);
  if (below === "") return ["type", "const", "enum", "false schema", "anyOf", "oneOf"].includes(keyword);
  return below.lastIndexOf("/") === 0 && (keyword === "const" || keyword === "enum");
}

/** Of objects that a property tells apart whose value here is that of none. */
function wrongTag(union: Complaint, branches: readonly unknown[], root: unknown): Complaint | undefined {
  if (!isObject(union.data)) return undefined;
  const fields = branches.map((branch) => childOf(resolve(branch, root), "properties")).filter(isObject);
  const [first, ...others] = fields;
  for (const name of Object.keys(first ?? {})) {
    const values = [first, ...others].map((properties) => tagsOf(resolve(childOf(properties, name), root)));
    const all = values.every((tags) => tags !== undefined) ? values.flat() : [];
    if (fields.length < 2 || all.length === 0 || all.includes(childOf(union.data, name))) continue;
    const instancePath = `${union.instancePath}/${pointerKey(name)}`;
    return { keyword: "enum", instancePath, params: { allowedValues: all }, parentSchema: { enum: all } };
  }
  return undefined;
}

function tagsOf(schema: unknown): readonly unknown[] | undefined {
  if (!isObject(schema)) return undefined;
  const tags: unknown = schema.const === undefined ? schema.enum : [schema.const];
  return Array.isArray(tags) && tags.every((tag) => typeof tag === "string") ? tags : undefined;
}

/** Keywords whose subschemas see the same value. */
const inPlace: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"]);

/** All subschemas below a keyword's value, or those in it that see the same value. */
type Reach = (start: unknown, isInPlace: boolean) => ReadonlySet<unknown>;

/** Each start is looked through once, through local references; literal values among them do no harm. */
function reacher(root: unknown): Reach {
  const known = { all: new Map<unknown, ReadonlySet<unknown>>(), inPlace: new Map<unknown, ReadonlySet<unknown>>() };
  return (start, isInPlace) => {
    const of = isInPlace ? known.inPlace : known.all;
    let found = of.get(start);
    if (found === undefined) of.set(start, (found = reachable(start, root, isInPlace ? inPlace : undefined)));
    return found;
  };
}

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
