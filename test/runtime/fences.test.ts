import { describe, expect, it } from "vitest";
import { chooseBlock, findBlocks, startsFenced } from "../../src/runtime/fences.ts";

const contents = (text: string): string[] => findBlocks(text).map((block) => text.slice(block.from, block.to));
const chosen = (text: string): string | undefined => {
  const block = chooseBlock(text, findBlocks(text));
  return block && text.slice(block.from, block.to);
};

describe("Markdown fences", () => {
  it("X1 a fence is closed by its own character, at least as long, alone on its line", () => {
    expect(contents("````ts\na\n```\nb\n````\nc")).toEqual(["a\n```\nb\n"]);
    expect(contents("~~~js\na\n```\nb\n~~~~")).toEqual(["a\n```\nb\n"]);
    expect(contents('```js\nreturn "a ``` b"\n```')).toEqual(['return "a ``` b"\n']);
    expect(contents("```js\na\n``` b\nc\n```")).toEqual(["a\n``` b\nc\n"]);
  });

  it("X1 a fence that never closes runs to the end, and CRLF and indentation are fine", () => {
    expect(contents("```ts\nreturn 1")).toEqual(["return 1"]);
    expect(contents("  ```ts\r\nreturn 1\r\n  ```\r\n")).toEqual(["return 1\r\n"]);
    expect(contents("    ```ts\nno fence\n")).toEqual([]);
    expect(contents("```a`b\nno fence")).toEqual([]);
  });

  it("X1 labels are the first word in lower case", () => {
    expect(
      findBlocks('```TypeScript title="x"\n1\n```\n```\n2\n```\n``` js{1,3}\n3\n```').map((block) => block.label),
    ).toEqual(["typescript", "", "js"]);
  });

  it("X1 the last labelled block is the program, else the last without a label, else the last", () => {
    expect(chosen("```ts\n1\n```\n```\n2\n```\n```json\n3\n```")).toBe("1\n");
    expect(chosen("```\n1\n```\n```json\n2\n```")).toBe("1\n");
    expect(chosen("```ts\n1\n```\n```js\n2\n```\n```ts\n \n```")).toBe("2\n");
    expect(chosen("```sh\n1\n```\n```json\n2\n```")).toBe("2\n");
    expect(chosen("```\n\n```")).toBe(undefined);
  });

  it("X1 a text is fenced if its first line that is not blank opens a fence", () => {
    expect(startsFenced("\n \n```ts\n1\n```")).toBe(true);
    expect(startsFenced("\uFEFF```\n1\n```")).toBe(true);
    expect(startsFenced("code\n```\n1\n```")).toBe(false);
    expect(startsFenced("")).toBe(false);
  });
});
