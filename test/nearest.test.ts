import * as fc from "fast-check";
import { distance } from "fastest-levenshtein";
import { describe, expect, it } from "vitest";
import { nearest, prepareNearest, isNearMiss } from "../src/nearest.ts";

describe("nearest names", () => {
  it("X9 G13 puts names that differ in case and separators alone first", () => {
    const names = ["fetchPages", "fetch-page", "patch_page", "delete"];
    expect(nearest("fetch_page", names)).toEqual(["fetch-page", "fetchPages", "patch_page"]);
    expect(nearest("FetchPage", names)).toEqual(["fetch-page", "fetchPages", "patch_page"]);
  });

  it("X9 G13 knows a name without its prefix", () => {
    expect(nearest("ask_model", ["mcp_x__ask_model", "task_mode", "zebra"])).toEqual(["mcp_x__ask_model", "task_mode"]);
  });

  it("X9 gives at most `max` names, never the name itself, and nothing that is far off", () => {
    expect(nearest("abcd", ["abcd", "abce", "abcf", "abcg", "abch"])).toEqual(["abce", "abcf", "abcg"]);
    expect(nearest("abcd", ["abce", "abcf"], 1)).toEqual(["abce"]);
    expect(nearest("write", ["listAllInvoices", "x"])).toEqual([]);
    expect(nearest("", ["a", "", "__"])).toEqual([]);
  });

  it("X9 G13 prepared once, candidates give each name the same answer, asked again or not", () => {
    const names = ["fetchPages", "fetch-page", "patch_page", "delete"];
    const find = prepareNearest(names);
    for (const name of ["fetch_page", "fetchpage", "fetch_page", "dlete", "fetch_page"]) {
      expect(find(name)).toEqual(nearest(name, names));
      expect(find(name, 1)).toEqual(nearest(name, names, 1));
    }
    find("fetch_page").push("changed");
    expect(find("fetch_page")).toEqual(["fetch-page", "fetchPages", "patch_page"]);
    for (let at = 0; at < 500; at++)
      expect(find(`fetch_pag${at % 100}`)).toEqual(nearest(`fetch_pag${at % 100}`, names));
  });

  it("X9 names of usual length are near by the whole of their edits", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", "c", "d", "e"), minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(name, name, (a, b) => {
        fc.pre(a !== b && !a.endsWith(b) && !b.endsWith(a));
        const longest = Math.max(a.length, b.length);
        const edits = distance(a, b);
        const isNear = edits <= Math.max(1, Math.floor(longest / 3)) && edits < longest;
        expect(nearest(a, [b])).toEqual(isNear ? [b] : []);
      }),
    );
  });

  it("X9 G13 long names are near where their start is and their length nearly is", () => {
    const long = "tool_".repeat(38);
    expect(nearest(`${long}x`, [`${long}y`, `other_${"x".repeat(185)}`])).toEqual([`${long}y`]);
    expect(nearest(long, [`x${long.slice(0, 100)}`])).toEqual([]);
    expect(nearest("x".repeat(1_000_000), ["y", "x".repeat(256)])).toEqual(["x".repeat(256)]);
  });

  it.each([
    ["perPage", "per_page", true],
    ["titel", "title", true],
    ["ulr", "url", true],
    ["labels", "label", true],
    ["issue_nubmer", "issue_number", true],
    ["descripton", "description", true],
    ["url", "html_url", false],
    ["id", "is", false],
    ["bdy", "body", false],
    ["address1", "address2", false],
    ["from", "to", false],
    ["name", "title", false],
  ])("X11 whether %s is surely %s misspelt: %s", (a, b, near) => {
    expect([isNearMiss(a, b), isNearMiss(b, a)]).toEqual([near, near]);
  });
});
