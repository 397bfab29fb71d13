import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexSearch, type Searchable } from "../../src/registry/search.ts";
import { searchOf } from "../../src/registry/search-surface.ts";
import { wordsOf } from "../../src/registry/search-words.ts";
import { describeShared, sharedPath } from "../shared.ts";
import { deploy, source, tool } from "./tools.ts";

const thing = (name: string, more: Partial<Searchable> = {}): Searchable => ({
  name,
  kind: "core",
  otherNames: [],
  description: "",
  keywords: [],
  parameters: [],
  ...more,
});
const named = (...names: readonly string[]) => indexSearch(names.map((name) => thing(name)));
const hits = (search: ReturnType<typeof indexSearch>, query: string, limit = 5): readonly string[] =>
  search(query, { limit }).hits.map(({ name }) => name);

describe("search", () => {
  it.each(["find symbol", "findSymbol", "FIND-SYMBOL", "find_symbol", " find.symbol "])(
    "T2 %j finds the tool of that name before all that hold its words (M1)",
    (query) => {
      const search = indexSearch([
        thing("find_referencing_symbols", { description: "Find symbol, find symbol, find symbol" }),
        thing("search_for_pattern", { keywords: ["find", "symbol"] }),
        thing("get_symbols_overview", { description: "Finds symbols" }),
        thing("find_symbol", { description: "x ".repeat(200) }),
      ]);
      expect(hits(search, query)[0]).toBe("find_symbol");
    },
  );

  it("T2 of names that are alike the one that is asked for as it is written comes first", () => {
    const names = ["a.b", "a,b", "a-b", "a_b", "ab", "A B", "a{b}"];
    for (const name of names) expect(hits(named(...names), name)[0]).toBe(name);
    const aliased = indexSearch([thing("a.b"), thing("x-y", { otherNames: ["a_b"] })]);
    expect(hits(aliased, "a_b")).toEqual(["x-y", "a.b"]);
  });

  it("T2 takes words apart at case, separators and digits", () => {
    expect(["getHTTPStatus2", "mcp_x__ask-model", "API.post", "naïveÜber", "读取文件"].map(wordsOf)).toEqual([
      ["get", "HTTP", "Status", "2"],
      ["mcp", "x", "ask", "model"],
      ["API", "post"],
      ["naïve", "Über"],
      ["读取文件"],
    ]);
  });

  it("T2 looks at names, descriptions, keywords and names of parameters, whatever the ending of a word", () => {
    const search = indexSearch([
      thing("a", { description: "Lists repositories." }),
      thing("b", { keywords: ["invoice"] }),
      thing("c", { parameters: ["phoneNumber"] }),
      thing("sendMessages"),
    ]);
    expect(["a repository", "my invoices?", "phone", "send the message"].map((query) => hits(search, query))).toEqual([
      ["a"],
      ["b"],
      ["c"],
      ["sendMessages"],
    ]);
  });

  it("T2 words that every question holds find nothing", () => {
    const search = indexSearch([
      thing("it", { description: "What is it that you would like me to do for you?" }),
      thing("b"),
    ]);
    expect(hits(search, "can you please do what I would like")).toEqual([]);
    expect(hits(search, "it")).toEqual(["it"]);
  });

  it("T2 the hit tells kind and the first sentence in one line, and only the kinds asked for are found", () => {
    const search = indexSearch([
      thing("read", { description: "Reads\n  a file. And more." }),
      thing("mcp_fs__read", { kind: "mcp", otherNames: ["read"], description: "Reads" }),
    ]);
    expect(search("read").hits).toEqual([
      { name: "read", kind: "core", description: "Reads a file." },
      { name: "mcp_fs__read", kind: "mcp", description: "Reads" },
    ]);
    expect(search("read", { kinds: ["mcp"] }).hits.map(({ name }) => name)).toEqual(["mcp_fs__read"]);
    expect(search("read", { kinds: ["skill"] })).toEqual({ hits: [], closest: [] });
  });

  it("T2 where nothing is found it names the three nearest", () => {
    const search = named("refund_order", "list_orders", "send_mail", "get_user");
    expect(search("refndorder").closest).toEqual(["refund_order", "list_orders", "get_user"]);
    expect(search("zzz").closest).toHaveLength(3);
    expect(named("only")("zzz")).toEqual({ hits: [], closest: ["only"] });
    expect(named()("zzz")).toEqual({ hits: [], closest: [] });
  });

  it("T2 a word that a tenth of many tools hold is left out of account, unless all are such", () => {
    const search = indexSearch([
      ...Array.from({ length: 1_500 }, (_, at) => thing(`list_${at}`, { description: "Lists things of a kind" })),
      thing("zebra_stripes"),
    ]);
    expect(hits(search, "list zebra")).toEqual(["zebra_stripes"]);
    expect(hits(search, "list things", 3)).toHaveLength(3);
  });

  it("T2 takes any text, gives the same for the same, and never more than the limit", () => {
    const search = named("a", "constructor", "__proto__", "toString", "then");
    expect(hits(search, "constructor")).toEqual(["constructor"]);
    expect(hits(search, "__proto__")).toEqual(["__proto__"]);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), fc.nat(6), (query, limit) => {
        const answer = search(query, { limit });
        expect(answer.hits.length).toBeLessThanOrEqual(limit);
        expect(search(query, { limit })).toEqual(answer);
      }),
    );
  });
});

describe("search over a surface", () => {
  it("T2 finds tools of sources by the name that their source gave them, and by what programs call them (M3)", async () => {
    const deployment = deploy();
    deployment.tool(tool("fetch-page", { keywords: ["url"] }));
    await deployment.source(source("x", [tool("ask_model"), tool("drive.files.update")], "mcp__x__"));
    const search = searchOf(deployment.surface());
    expect(["ask_model", "askModel", "mcp__x__ask_model"].map((name) => hits(search, name)[0])).toEqual([
      "mcp__x__ask_model",
      "mcp__x__ask_model",
      "mcp__x__ask_model",
    ]);
    expect(search("fetch_page").hits[0]).toEqual({
      name: "fetch-page",
      kind: "core",
      description: "Returns fetch-page.",
    });
    expect(search("drive files update").hits[0]).toEqual({
      name: "mcp__x__drive.files.update",
      kind: "mcp",
      description: "Returns drive.files.update.",
    });
    expect(search("url").hits.map(({ name }) => name)).toEqual(["fetch-page"]);
    await deployment[Symbol.asyncDispose]();
  });

  it("T2 T7 is made again when a source publishes another list, and kept until then", async () => {
    const deployment = deploy();
    const words = source("words", [tool("first")]);
    await deployment.source(words);
    expect(searchOf(deployment.surface())).toBe(searchOf(deployment.surface()));
    expect(hits(searchOf(deployment.surface()), "first")).toEqual(["first"]);
    words.list = () => Promise.resolve([tool("second")]);
    words.change();
    await expect.poll(() => deployment.surface().find("second")?.name).toBe("second");
    expect(hits(searchOf(deployment.surface()), "first")).toEqual([]);
    expect(hits(searchOf(deployment.surface()), "second")).toEqual(["second"]);
    await deployment[Symbol.asyncDispose]();
  });
});

interface MetaTool {
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly questions: readonly { readonly query: string; readonly tool: string }[];
}

describeShared("3,000 questions", () => {
  it("T2 are answered by the right tool first, and among the first five, more often than asked for", () => {
    const { tools, questions }: MetaTool = JSON.parse(readFileSync(sharedPath("search", "metatool.json"), "utf8"));
    const search = indexSearch(tools.map(({ name, description }) => thing(name, { description })));
    const places = questions.map(({ query, tool: right }) => hits(search, query).indexOf(right));
    expect(questions).toHaveLength(3_000);
    expect(places.filter((place) => place === 0).length / 3_000).toBeGreaterThanOrEqual(0.41);
    expect(places.filter((place) => place >= 0).length / 3_000).toBeGreaterThanOrEqual(0.61);
  });
});
