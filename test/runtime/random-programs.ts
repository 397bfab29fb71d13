// Programs that do with awaits what programs do, at random. What they have seen so far goes into all that they ask for, so
// that a course that differs anywhere shows in the next call.
import fc from "fast-check";

const start = `(async () => {"use strict";
let seen = 0;
const saw = (...values) => { for (const c of JSON.stringify(values)) seen = (seen * 31 + c.charCodeAt(0)) | 0; console.log(...values, seen) };
const ask = (n) => tools.work({ n, seen });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const began = Date.now();
`;
const end = `
return { seen, random: Math.random(), ms: Date.now() - began };
})`;

const small = fc.nat({ max: 4 });

const { statements } = fc.letrec<{ value: string; statement: string; statements: string }>((tie) => ({
  // Promises.
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    small.map((n) => `ask(${n})`),
    small.map((ms) => `sleep(${ms}).then(() => "slept ${ms}")`),
    fc.constant("Promise.reject(new Error('no'))"),
    fc.constant("Promise.resolve(crypto.randomUUID())"),
    tie("statements").map((body) => `(async () => { ${body} return Math.random() })()`),
    fc
      .tuple(
        fc.constantFrom("all", "race", "allSettled", "any"),
        fc.array(tie("value"), { minLength: 1, maxLength: 4 }),
      )
      .map(([how, values]) => `Promise.${how}([${values.join(", ")}])`),
  ),
  statement: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("value").map((value) => `saw(await ${value}.catch((e) => e.message));`),
    tie("value").map((value) => `${value}.then((v) => saw("late", v), (e) => saw("late", e.message));`),
    tie("value").map((value) => `try { saw(await ${value}) } catch (e) { saw(e.name, e.message, e.code) }`),
    small.map((ms) => `{ const t = setTimeout(() => saw("fired"), ${ms}); await ask(9); clearTimeout(t) }`),
    fc
      .tuple(small, tie("statements"))
      .map(([times, body]) => `for (let i = 0; i < ${times % 3}; i += 1) { saw(i, Date.now() - began); ${body} }`),
    fc
      .tuple(tie("statements"), tie("statements"))
      .map(([left, right]) => `if (Math.random() < 0.5) { ${left} } else { ${right} }`),
  ),
  statements: fc.array(tie("statement"), { minLength: 1, maxLength: 4 }).map((all) => all.join("\n")),
}));

/** A program as the sandbox takes it: an async function without parameters. Its one tool is `work`. */
export const randomProgram: fc.Arbitrary<string> = fc
  .array(statements, { minLength: 1, maxLength: 3 })
  .map((all) => `${start}${all.join("\n")}${end}`);
