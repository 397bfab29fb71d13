import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { encrypted } from "../../../src/bridge/stores/encrypted.ts";
import { memoryStore } from "../../../src/bridge/stores/memory.ts";
import { sqliteStore } from "../../../src/bridge/stores/sqlite.ts";
import { claimBy, codeOf, content, run, storeSuite } from "../../contract/store-suite.ts";
import { encryptedHome, key, sqliteHome } from "./homes.ts";

storeSuite("a SQLite file, encrypted", encryptedHome);

describe("a store with a key", () => {
  it("J8 nothing of headers, entries, outcomes and documents can be read in the file", async () => {
    const home = await encryptedHome();
    const store = home.open();
    const requests = [
      { kind: "reserve", requestId: "q", call: 1 },
      { kind: "settle", requestId: "q", outcome: "word outcome" },
    ] as const;
    await store.create(run("r", { header: "word header" }), claimBy("a"), content(["word entry"], { requests }));
    await store.put("acme", "grant", "g", "word document", undefined, { at: 1 });
    await store.close();
    const bytes = readFileSync(home.path, "latin1");
    expect(bytes).not.toContain("word");
    expect(bytes).toContain("acme");
    await home.drop();
  });

  it("J8 another key, and none, are told as such", async () => {
    const inner = memoryStore();
    const store = encrypted(inner, key);
    const other = encrypted(inner, Buffer.alloc(32, 8));
    await store.create(run("r"), claimBy("a"), content(["1"]));
    await inner.create(run("plain"), claimBy("a"), content(["1"]));
    await expect(other.load("acme", "r")).rejects.toMatchObject({
      code: "store_key_wrong",
      message: "header acme r was written with another key",
      hint: "open the store with encrypted(store, key) and the key that it was written with",
    });
    await expect(store.load("acme", "plain")).rejects.toMatchObject({
      code: "store_key_wrong",
      message: "header acme plain was written without a key",
    });
    expect(() => encrypted(inner, Buffer.alloc(16))).toThrow("the key of encrypted must be 32 bytes");
  });

  it("J8 a text that was moved to another place, run or tenant is refused where it is read", async () => {
    const home = await sqliteHome();
    const inner = sqliteStore({ path: home.path });
    const store = encrypted(inner, key);
    await store.create(run("r"), claimBy("a"), content(["1", "2"]));
    const { header, entries } = await inner.load("acme", "r");
    await inner.create(run("swapped", { header }), claimBy("a"), content([]));
    expect(await codeOf(store.load("acme", "swapped"))).toBe("store_tampered");
    await store.create(run("s"), claimBy("a"));
    await inner.append("acme", "s", { epoch: 1, from: 1, ...content([entries[1] ?? ""]) });
    await expect(store.load("acme", "s")).rejects.toMatchObject({
      code: "store_tampered",
      message: 'entry 1 of run "s" of tenant "acme" was changed',
      details: { runId: "s", n: 1 },
    });
    await store.put("acme", "grant", "a", "x", undefined, { at: 1 });
    const grant = await inner.get("acme", "grant", "a");
    await inner.put("acme", "grant", "b", grant?.body ?? "", undefined, { at: 1 });
    await expect(store.get("acme", "grant", "b")).rejects.toMatchObject({
      code: "store_tampered",
      message: 'document "b" (grant) of tenant "acme" was changed',
    });
    await store.reserve("acme", "q", { runId: "r", call: 1, at: 1 });
    await store.reserve("acme", "p", { runId: "r", call: 1, at: 1 });
    await store.settleRequest("acme", "q", "done");
    using database = new DatabaseSync(home.path);
    database.exec("update codecall_request set outcome = (select outcome from codecall_request where id = 'q')");
    await expect(store.reserve("acme", "p", { runId: "r", call: 1, at: 1 })).rejects.toThrow(
      'the outcome of request "p" of tenant "acme" was changed',
    );
    await store.close();
    await home.drop();
  });

  it("J8 one text sealed twice is not the same text", async () => {
    const inner = memoryStore();
    const store = encrypted(inner, key);
    for (const id of ["a", "b"]) await store.put("acme", "k", id, "same", undefined, { at: 1 });
    const [a, b] = await inner.listDocuments("acme", "k");
    expect(a?.body).not.toBe(b?.body);
  });
});
