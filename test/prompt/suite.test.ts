import { readFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";
import { expect, it } from "vitest";
import { isObject } from "../../src/is-object.ts";
import { typeText } from "../../src/prompt/type-text.ts";
import { describeShared, sharedPath } from "../shared.ts";
import { compileErrors } from "./compile.ts";
import { literal, valueType } from "./values.ts";
import type { JsonValue } from "../../src/json.ts";

interface Group {
  readonly description: string;
  readonly schema: JsonValue;
  readonly tests: readonly { readonly description: string; readonly data: JsonValue; readonly valid: boolean }[];
}

interface Suite {
  readonly files: readonly { readonly file: string; readonly groups: readonly Group[] }[];
}

/** A module that declares `T`, or undefined where a generator gives up. */
type Generate = (group: Group) => Promise<string | undefined>;

const ours =
  (exact: boolean): Generate =>
  ({ schema }) => {
    const { text, types } = typeText(schema, { io: "output", exact });
    return Promise.resolve(["type Unknown = any;", ...types.map((type) => type.text), `type T = ${text};`].join("\n"));
  };

const theirs: Generate = async ({ schema }) => {
  if (!isObject(schema)) return undefined;
  try {
    const text = await compile({ ...structuredClone(schema), title: "T" }, "T", {
      bannerComment: "",
      format: false,
      $refOptions: { resolve: { external: false } },
    });
    return /\b(?:type|interface) T\b/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
};

/** For each group and test: whether a value of exactly this shape is of the type; undefined where there is no type. */
async function judge(groups: readonly Group[], generate: Generate): Promise<Verdicts> {
  const files: Record<string, string> = {};
  const starts: (number | undefined)[] = [];
  for (const [at, group] of groups.entries()) {
    const text = await generate(group);
    starts.push(text === undefined ? undefined : text.split("\n").length);
    if (text === undefined) continue;
    // A valid value may come from anywhere; an invalid one is written down, where unlisted properties are told.
    const lines = group.tests.map(({ data, valid }) =>
      valid ? `{ const value: T = null! as ${valueType(data)}; }` : `{ const value: T = ${literal(data)}; }`,
    );
    files[`g${at}.ts`] = [text, ...lines].join("\n");
  }
  const refused = new Set<string>();
  const broken = new Set<number>();
  for (const error of compileErrors(files)) {
    const [, group = "", line = ""] = /^g(\d+)\.ts\((\d+),/.exec(error) ?? [];
    const test = Number(line) - 1 - (starts[Number(group)] ?? 0);
    if (test < 0) broken.add(Number(group));
    else refused.add(`${group}:${test}`);
  }
  return groups.map((group, at) =>
    starts[at] === undefined || broken.has(at)
      ? undefined
      : group.tests.map((_, test) => !refused.has(`${at}:${test}`)),
  );
}

type Verdicts = readonly (readonly boolean[] | undefined)[];

const isRemote = ({ schema }: Group): boolean =>
  typeText(schema, { io: "output" }).warnings.some((warning) => warning.startsWith("cannot resolve"));

/** The validator reads what stands beside `$ref` in every draft, where draft 7 would not; so does the type. */
const isSibling = ({ description }: Group): boolean =>
  description === "$ref prevents a sibling $id from changing the base uri";

const isSound = ({ tests }: Group, verdicts: readonly boolean[] | undefined): boolean =>
  verdicts !== undefined &&
  tests.some((test) => test.valid) &&
  tests.every((test, number) => !test.valid || verdicts[number]);

/** Of the valid, or of the invalid, cases of some groups: how many there are, and how many the types accept. */
function count(groups: readonly Group[], judged: Verdicts, at: readonly number[], valid: boolean): readonly number[] {
  const cases = at.flatMap((group) =>
    (groups[group]?.tests ?? []).flatMap((test, number) =>
      test.valid === valid ? [judged[group]?.[number] ?? true] : [],
    ),
  );
  return [cases.filter((accepts) => accepts).length, cases.length];
}

describeShared("the JSON Schema test suite", () => {
  it.each([
    ["draft7", { groups: 321, remote: 14, sibling: 1, valid: 923, touched: 62 }],
    ["draft2020-12", { groups: 461, remote: 23, sibling: 0, valid: 1204, touched: 65 }],
  ])(
    "D2 %s: every valid value is of the type, and more of the others are not than with another generator",
    async (draft, expected) => {
      const suite: Suite = JSON.parse(readFileSync(sharedPath("json-schema-suite", `${draft}.json`), "utf8"));
      const all = suite.files.flatMap((file) => file.groups);
      const groups = all.filter((group) => !isRemote(group) && !isSibling(group));
      const letter = await judge(groups, ours(true));
      const meant = await judge(groups, ours(false));
      const peer = await judge(groups, theirs);

      const every = [...groups.keys()];
      const refused = (judged: Verdicts): readonly string[] =>
        groups.flatMap(({ description, tests }, at) =>
          tests.flatMap((test, n) =>
            test.valid && judged[at]?.[n] === false ? [`${description}: ${test.description}`] : [],
          ),
        );
      // What the reading of schemas without `type` takes away is what it touches; to the letter nothing is refused.
      expect(refused(letter)).toEqual([]);
      expect(letter.includes(undefined) || meant.includes(undefined)).toBe(false);
      expect({
        groups: all.length,
        remote: all.filter(isRemote).length,
        sibling: all.filter(isSibling).length,
        valid: count(groups, letter, every, true)[1],
        touched: refused(meant).length,
      }).toEqual(expected);

      const same = every.filter((at) => [meant, peer].every((judged) => isSound(groups[at] as Group, judged[at])));
      const [ourAccepted = 0, invalid = 0] = count(groups, meant, same, false);
      const [theirAccepted = 0] = count(groups, peer, same, false);
      const [theirValid = 0, valid = 0] = count(groups, peer, every, true);
      console.log(
        `${draft}: of ${invalid} invalid values in the ${same.length} groups where both accept every valid one, ` +
          `${invalid - ourAccepted} are rejected, by json-schema-to-typescript ${invalid - theirAccepted}; ` +
          `of all ${valid} valid ones ${valid - expected.touched} are accepted as meant, ${valid} to the letter, by json-schema-to-typescript ${theirValid}`,
      );
      expect(invalid - ourAccepted).toBeGreaterThan(invalid - theirAccepted);
    },
  );
});
