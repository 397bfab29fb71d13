import { describe, expect, it } from "vitest";
import { nearest } from "../src/nearest.ts";

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
});
