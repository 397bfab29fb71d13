// The check of a Standard Schema is its library's own, and so is the engine that its patterns run on: the host's, which a
// text can hold up without end. So where there are patterns, the JSON Schema is asked first, on the engine that is linear:
// what matches it goes on as it is, all else to a library that is stopped after a while. The JSON Schema alone refuses nothing
// that the library would let through, as a text that the library trims first.
import { type JsonObject, type JsonValue, parseJson } from "../json.ts";
import { bounds } from "../limits.ts";
import { runWithin } from "./bounded-run.ts";
import { type Check, type Given, makeCheck, type Parsed, type SchemaUse } from "./make-check.ts";
import { readIssues, type StandardSchemaV1 } from "./standard.ts";
import type { SchemaForm } from "./verdict.ts";

/** `form` and `size` as of `makeCheck`; patterns of a schema too large for that are taken for slow ones. */
export function makeStandardCheck(
  schema: StandardSchemaV1,
  form: SchemaForm,
  size: number,
  { what, io, checkerPath }: SchemaUse,
): Check {
  const validate = (value: JsonValue): Parsed | Promise<Parsed> => {
    const result = schema["~standard"].validate(value);
    return result instanceof Promise ? result.then((late) => read(late, value)) : read(result, value);
  };
  const read = (result: StandardSchemaV1.Result<unknown>, value: JsonValue): Parsed =>
    result.issues === undefined
      ? { ok: true, value: result.value }
      : { ok: false, issues: readIssues(result.issues, value, form.json) };
  if (!hasPattern(form.json)) return { parse: validate, parseText: (text) => validate(parseJson(text)) };

  let isLinear = size <= bounds.schemaSize;
  const use: SchemaUse = {
    what,
    io,
    ...(checkerPath === undefined ? {} : { checkerPath }),
    warn: () => void (isLinear = false),
  };
  const first = makeCheck(form, size, use);

  function validateWithin(value: JsonValue, expected: Parsed): Parsed | Promise<Parsed> {
    const done = runWithin(bounds.standardMs, () => validate(value));
    return done === undefined ? (expected.ok ? endless : expected) : done.value;
  }

  const settle = (value: JsonValue, expected: Parsed): Parsed | Promise<Parsed> =>
    expected.ok && isLinear ? validate(value) : validateWithin(value, expected);

  function parse(value: JsonValue, given?: Given): Parsed | Promise<Parsed> {
    if (!isLinear) return validateWithin(value, { ok: true, value });
    const expected = first.parse(value, given);
    return expected instanceof Promise ? expected.then((verdict) => settle(value, verdict)) : settle(value, expected);
  }

  return { parse, parseText: (text, signal) => parse(parseJson(text), { text, signal }) };
}

const endless: Parsed = {
  ok: false,
  issues: [{ path: "$", expected: `what can be checked within ${bounds.standardMs} ms`, came: "what takes longer" }],
};

/** Whether a pattern stands anywhere in it; a property of that name does no harm. */
const hasPattern = (json: JsonObject): boolean => /"(?:pattern|patternProperties)":/.test(JSON.stringify(json));
