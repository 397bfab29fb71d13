// npm start -- [--only PART]... [--json FILE] [--write]
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { describeMachine, writeSection } from "../section.ts";
import { measure, parts } from "./measure.ts";
import { render } from "./report.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    json: { type: "string" },
    write: { type: "boolean" },
  },
});
const unknown = values.only?.find((name) => !parts.includes(name));
if (unknown !== undefined) throw new Error(`no part "${unknown}"; the parts are ${parts.join(", ")}`);

const machine = describeMachine();
const results = await measure(new Set(values.only ?? parts), (part) => console.error(part));
const markdown = `${machine}\n\n${render(results)}`;
console.log(markdown);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ machine, ...results }, undefined, 2));
if (values.write === true) writeSection("peers", markdown);
