import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bounds } from "../../../src/limits.ts";
import { createLearner, type Learner, type LearnOutputs } from "../../../src/registry/learn/learner.ts";

const tool = { source: "deployment", originalName: "find", output: undefined };
const number = { type: "object", properties: { id: { type: "number" } }, required: ["id"] };

let folder: string;
let file: string;
let warnings: string[];
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "learned-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  file = join(folder, `deep/${(made += 1)}/learned.json`);
  warnings = [];
});

const open = (outputs: LearnOutputs = { file }): Learner =>
  createLearner(outputs, { warn: (message) => void warnings.push(message), error: () => undefined });
const seeAll = (learner: Learner, ...results: readonly unknown[]): void => {
  for (const result of results) learner.observe(tool, JSON.stringify(result));
};
/** What a file holds of one tool after a learner saw results and was closed. */
async function keep(...results: readonly unknown[]): Promise<void> {
  const learner = open();
  seeAll(learner, ...results);
  await learner.close();
}
const write = async (text: string): Promise<void> => {
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, text);
};

describe("a learner", () => {
  it("D6 knows what was observed, and what was taken from it before stays as it was", () => {
    const learner = open(true);
    const before = learner.now();
    seeAll(learner, { id: 1 });
    const between = learner.now();
    seeAll(learner, { id: "x", name: "a" });
    expect(before(tool)).toBeUndefined();
    expect(between(tool)).toEqual(number);
    expect(learner.now()(tool)).toEqual({
      type: "object",
      properties: { id: { type: ["number", "string"] }, name: { type: "string" } },
      required: ["id"],
    });
  });

  it("D6 tells tools apart by their source and their name there, whatever they are called here", () => {
    const learner = open(true);
    seeAll(learner, { id: 1 });
    expect(learner.now()({ source: "deployment", originalName: "find" })).toEqual(number);
    expect(learner.now()({ source: "mcp:a", originalName: "find" })).toBeUndefined();
    expect(learner.now()({ source: "deployment", originalName: "find2" })).toBeUndefined();
  });

  it("D6 looks neither at results of tools with an output schema nor at very long ones", () => {
    const learner = open(true);
    learner.observe({ ...tool, output: {} as never }, "1");
    learner.observe(tool, JSON.stringify("x".repeat(bounds.learnedChars)));
    expect(learner.now()(tool)).toBeUndefined();
  });

  it("D6 gives up on a tool whose results have too many parts", () => {
    const learner = open(true);
    const letters = "abcdefghijklmnopqrstuvwxyz".split("");
    const wide = Object.fromEntries(
      letters.map((a) => [a, Object.fromEntries(letters.map((b) => [b, { a: 1, b: 2 }]))]),
    );
    seeAll(learner, wide);
    expect(learner.now()(tool)).toBeUndefined();
    seeAll(learner, { id: 1 });
    expect(learner.now()(tool)).toBeUndefined();
  });
});

describe("the file", () => {
  it("D6 holds shapes and no values, and is read again", async () => {
    await keep({ id: 1 }, { id: 2, mail: "ada@example.org" });
    const text = await readFile(file, "utf8");
    expect(JSON.parse(text)).toEqual({
      format: "codecall learned output types",
      version: 1,
      tools: [
        {
          source: "deployment",
          tool: "find",
          result: {
            type: ["object"],
            properties: { id: { type: ["number"] }, mail: { type: ["string"] } },
            required: ["id"],
          },
        },
      ],
    });
    expect(await readdir(join(file, ".."))).toEqual(["learned.json"]);
    const again = open();
    expect(again.now()(tool)).toEqual({
      type: "object",
      properties: { id: { type: "number" }, mail: { type: "string" } },
      required: ["id"],
    });
    expect(warnings).toEqual([]);
  });

  it("D6 is not written where nothing was learned", async () => {
    await keep();
    await keep({ id: 1 });
    const before = await readFile(file, "utf8");
    await writeFile(file, `${before} `);
    await keep({ id: 2 });
    expect(await readFile(file, "utf8")).toBe(`${before} `);
  });

  it("D6 loses nothing to another process that writes it", async () => {
    const [one, other] = [open(), open()];
    seeAll(one, { id: 1 });
    seeAll(other, { id: "x" });
    await one.close();
    await other.close();
    expect(open().now()(tool)).toEqual({
      type: "object",
      properties: { id: { type: ["number", "string"] } },
      required: ["id"],
    });
  });

  it.each([
    ["{", "is not JSON"],
    ['{ "name": "my-package" }', "holds no learned output types"],
    [
      '{ "format": "codecall learned output types", "version": 9, "tools": [] }',
      "is of version 9, and 1 is what can be read",
    ],
    ['{ "format": "codecall learned output types", "version": 1, "tools": [{}] }', "holds a shape that is none"],
  ])("D6 that is %s is told of, put aside and begun anew", async (text, fault) => {
    await write(text);
    const learner = open();
    expect(warnings).toEqual([
      `learnOutputs: ${file} ${fault}; learning starts anew, and what stands there is moved to ${file}.unreadable before anything is written`,
    ]);
    expect(learner.now()(tool)).toBeUndefined();
    await learner.close();
    expect(await readFile(file, "utf8")).toBe(text);
    await keep({ id: 1 });
    expect(await readFile(`${file}.unreadable`, "utf8")).toBe(text);
    expect(open().now()(tool)).toEqual(number);
  });

  it("D6 that cannot be written draws a warning and harms nothing", async () => {
    await mkdir(file, { recursive: true });
    const learner = open();
    seeAll(learner, { id: 1 });
    await learner.close();
    expect(learner.now()(tool)).toEqual(number);
    expect(warnings).toEqual([
      expect.stringMatching(/^learnOutputs: .*learned\.json cannot be read \(EISDIR/),
      `learnOutputs: what was learned could not be kept in ${file}: it is no file`,
    ]);
    expect(await readdir(file)).toEqual([]);
  });
});
