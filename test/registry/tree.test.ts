import * as fc from "fast-check";
import { expect, it } from "vitest";
import { deploy, names, tool, type TestScope } from "./tools.ts";

const toolNames = ["a", "ab", "b", "b-1", "b_1", "constructor", "__proto__"];
const patterns = [...toolNames, "*", "?", "a*", "*b*", "b?1", "_*", "zzz"];

/** A scope as plain lists: what it registered, and what it says of names. */
interface Plain {
  readonly scope: TestScope;
  readonly parent: Plain | undefined;
  readonly tools: Map<string, Disposable>;
  readonly permits: Map<readonly string[], Disposable>;
  readonly masks: { readonly allow?: readonly string[]; readonly deny?: readonly string[] }[];
}

const matches = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s").test(name);

const isWithin = (inner: Plain | undefined, outer: Plain): boolean =>
  inner !== undefined && (inner === outer || isWithin(inner.parent, outer));

/** Which scope's tool a name is here: the nearest that has it, if all masks further in and all lists in force let it through. */
function ownerOf(name: string, at: Plain): Plain | undefined {
  const masks: Plain["masks"] = [];
  let owner: Plain | undefined = at;
  while (owner !== undefined && !owner.tools.has(name)) {
    masks.push(...owner.masks);
    owner = owner.parent;
  }
  const lists: (readonly string[])[] = [];
  for (let up: Plain | undefined = at; up !== undefined; up = up.parent) lists.push(...up.permits.keys());
  const passes =
    lists.every((list) => list.includes(name)) &&
    masks.every(
      ({ allow = ["*"], deny = [] }) =>
        allow.some((one) => matches(one, name)) && !deny.some((one) => matches(one, name)),
    );
  return passes ? owner : undefined;
}

const some = (from: readonly string[]) => fc.array(fc.constantFrom(...from), { maxLength: 4 });
const at = fc.nat(1_000);
const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("scope"), at }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("tool"), at, name: fc.constantFrom(...toolNames) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("untool"), at, name: fc.constantFrom(...toolNames) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("restrict"),
      at,
      allow: fc.option(some([...patterns, "*"]), { nil: undefined }),
      deny: fc.option(some(patterns), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("permit"), at, list: fc.subarray(toolNames) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("unpermit"), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("dispose"), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("again"), at }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("look"), at }) },
);

type Act = { kind: string; at: number; name?: string; allow?: string[]; deny?: string[]; list?: string[] };

const plain = (scope: TestScope, parent?: Plain): Plain => ({
  scope,
  parent,
  tools: new Map(),
  permits: new Map(),
  masks: [],
});

/** `gone` holds all that was disposed, by itself or with its scope: to dispose it again changes nothing. */
function perform({ kind, at: which, name = "", allow, deny, list = [] }: Act, live: Plain[], gone: Disposable[]): void {
  const target = live[which % live.length] as Plain;
  const { scope, tools, permits, masks } = target;
  if (kind === "scope") live.push(plain(scope.scope(`s${which}`), target));
  if (kind === "tool" && !tools.has(name)) tools.set(name, scope.tool(tool(name)));
  if (kind === "untool" && tools.has(name)) {
    gone.push(tools.get(name) as Disposable);
    gone.at(-1)?.[Symbol.dispose]();
    tools.delete(name);
  }
  if (kind === "restrict") {
    const mask = { ...(allow === undefined ? {} : { allow }), ...(deny === undefined ? {} : { deny }) };
    scope.restrict(mask);
    masks.push(mask);
  }
  if (kind === "permit") permits.set(list, scope.permit(list));
  for (const [first, handle] of kind === "unpermit" ? [...permits].slice(0, 1) : []) {
    handle[Symbol.dispose]();
    gone.push(handle);
    permits.delete(first);
  }
  if (kind === "dispose" && target.parent !== undefined) {
    scope[Symbol.dispose]();
    const [ended = [], left = []] = [true, false].map((over) => live.filter((one) => isWithin(one, target) === over));
    gone.push(...ended.flatMap((one) => [...one.tools.values(), ...one.permits.values(), one.scope]));
    live.splice(0, live.length, ...left);
  }
  if (kind === "again") gone[which % gone.length]?.[Symbol.dispose]();
  if (kind === "look") names(scope);
}

it("S2 S3 S4 S5 S6 any tree of scopes shows what plain lists of names would", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const live = [plain(deploy())];
      const gone: Disposable[] = [];
      for (const one of acts) perform(one as Act, live, gone);
      for (const node of live) {
        const expected = toolNames.flatMap((name) => {
          const owner = ownerOf(name, node);
          return owner === undefined ? [] : [`${name} of ${pathOf(owner)}`];
        });
        const shown = node.scope.surface().tools;
        expect(shown.map(({ name, tool: { source } }) => `${name} of ${source}`)).toEqual(expected.toSorted(byName));
        expect(toolNames.filter((name) => node.scope.surface().find(name)?.name === name)).toEqual(
          toolNames.filter((name) => ownerOf(name, node) !== undefined),
        );
      }
    }),
    { numRuns: 300 },
  );
});

const pathOf = ({ scope, parent }: Plain): string => (parent === undefined ? "" : `${pathOf(parent)}/`) + scope.name;
const nameOf = (line: string): string => line.slice(0, line.indexOf(" of "));
const byName = (a: string, b: string): number => (nameOf(a) < nameOf(b) ? -1 : 1);
