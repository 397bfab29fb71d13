// What every store does alike. A home holds one body of data; each `open()` is another handle on it, as another process has.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Claimant, Content, NewRun, Store } from "../../src/bridge/stores/store.ts";

export interface StoreHome {
  readonly open: () => Store;
  readonly drop: () => Promise<void>;
}

export const run = (runId: string, more: Partial<NewRun> = {}): NewRun => ({
  tenant: "acme",
  runId,
  session: "chat",
  at: 1_000,
  header: `{"run":"${runId}"}`,
  ...more,
});

export const claimBy = (owner: string, now = 1_000, ttlMs = 500): Claimant => ({ owner, ttlMs, now });

export const content = (entries: readonly string[], more: Partial<Content> = {}): Content => ({
  entries,
  at: 2_000,
  ...more,
});

/** Texts that some database, or some way of writing JSON again, would change. */
export const hostileTexts: readonly string[] = [
  '{"a":-0,"b":1e400,"__proto__":1,"a":2}',
  "\u0000 begins with nothing, \ud800 goes on with half a character, and ends with \udfff",
  "\u0001",
  '\u0001"quoted"',
  "",
  " \r\n\t\u2028\u2029\ufeff",
  "'; drop table run; -- $1 ?1 @run %_\\",
  "🙂".repeat(3),
  String.raw`"\u0000\ud800"`,
];

export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: { code?: string }) => error.code ?? "no fault",
  );

export function storeSuite(name: string, makeHome: () => Promise<StoreHome>): void {
  describe(`a store in ${name}`, () => {
    let home: StoreHome;
    let store: Store;
    beforeEach(async () => {
      home = await makeHome();
      store = home.open();
    });
    afterEach(async () => {
      await store.close();
      await home.drop();
    });

    it("J2 gives entries back in order, each text exactly as it went in", async () => {
      await store.create(run("r", { header: hostileTexts.join("|") }), claimBy("a"), content(hostileTexts.slice(0, 2)));
      await store.append("acme", "r", { epoch: 1, from: 3, ...content(hostileTexts.slice(2)) });
      await store.append("acme", "r", { epoch: 1, from: hostileTexts.length + 1, ...content([]), status: "completed" });
      expect(await store.load("acme", "r")).toEqual({
        tenant: "acme",
        runId: "r",
        session: "chat",
        status: "completed",
        at: 1_000,
        updatedAt: 2_000,
        claim: { owner: "a", until: 1_500 },
        epoch: 1,
        header: hostileTexts.join("|"),
        entries: hostileTexts,
      });
    });

    it("J2 gives a long run back whole", async () => {
      const entries = Array.from({ length: 4_500 }, (_, n) => `${n}:${"x".repeat(n % 1_000 === 0 ? 600_000 : 100)}`);
      await store.create(run("r"), claimBy("a"), content(entries.slice(0, 3_000)));
      await store.append("acme", "r", { epoch: 1, from: 3_001, ...content(entries.slice(3_000)) });
      const loaded = await store.load("acme", "r");
      expect(loaded.entries).toEqual(entries);
    });

    it("J9 an append of another epoch, at another number, or after the claim was given up writes nothing", async () => {
      await store.create(run("r"), claimBy("a"), content(["1"]));
      const refused = (epoch: number, from: number): Promise<unknown> =>
        store.append("acme", "r", { epoch, from, ...content(["no"]), status: "failed" });
      await expect(refused(1, 1)).rejects.toMatchObject({
        code: "store_fenced",
        message: 'run "r" of tenant "acme" goes on at entry 2, not 1; nothing was written',
      });
      await expect(refused(1, 3)).rejects.toMatchObject({ code: "store_fenced" });
      expect(await store.claim("acme", "r", claimBy("b", 1_500))).toBe(2);
      await expect(refused(1, 2)).rejects.toMatchObject({
        code: "store_fenced",
        message: 'run "r" of tenant "acme" was claimed by another since: epoch 2, not 1; nothing was written',
        details: { tenant: "acme", runId: "r", epoch: 2, next: 2 },
      });
      await store.release("acme", "r", 1);
      expect(await store.append("acme", "r", { epoch: 2, from: 2, ...content(["2"]) })).toEqual({
        epoch: 2,
        reservations: [],
      });
      await store.release("acme", "r", 2);
      await expect(refused(2, 3)).rejects.toMatchObject({
        code: "store_fenced",
        message: 'run "r" of tenant "acme" was given up; nothing was written',
      });
      expect(await store.load("acme", "r")).toMatchObject({ entries: ["1", "2"], status: "running", epoch: 2 });
    });

    it("J9 a claim holds against other owners until it ends, is renewed by its epoch alone, and is given up", async () => {
      await store.create(run("r"), claimBy("a"));
      await expect(store.claim("acme", "r", claimBy("b", 1_499))).rejects.toMatchObject({
        code: "run_claimed",
        message: 'run "r" of tenant "acme" is held by "a" until 1970-01-01T00:00:01.500Z',
      });
      await store.renew("acme", "r", { ...claimBy("a", 1_400), epoch: 1 });
      expect(await codeOf(store.claim("acme", "r", claimBy("b", 1_899)))).toBe("run_claimed");
      expect(await store.claim("acme", "r", claimBy("a", 1_500))).toBe(2);
      expect(await codeOf(store.renew("acme", "r", { ...claimBy("a", 1_500), epoch: 1 }))).toBe("store_fenced");
      expect(await store.claim("acme", "r", claimBy("b", 2_000))).toBe(3);
      await store.release("acme", "r", 3);
      expect(await store.claim("acme", "r", claimBy("c", 2_000))).toBe(4);
      expect(await codeOf(store.create(run("r"), claimBy("c")))).toBe("run_exists");
    });

    it("J9 of many at once, through two handles, one claims and one appends", async () => {
      const other = home.open();
      const both = [store, other];
      await store.create(run("r"), claimBy("a"));
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          codeOf((both[n % 2] ?? store).claim("acme", "r", claimBy(`o${n}`, 1_500))),
        ),
      );
      expect(claims.toSorted()).toEqual(["none", ...Array<string>(9).fill("run_claimed")]);
      const writes = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          codeOf((both[n % 2] ?? store).append("acme", "r", { epoch: 2, from: 1, ...content([`${n}`]) })),
        ),
      );
      expect(writes.toSorted()).toEqual(["none", ...Array<string>(9).fill("store_fenced")]);
      const { entries } = await other.load("acme", "r");
      expect(entries).toEqual([`${writes.indexOf("none")}`]);
      if (other !== store) await other.close();
    });

    it("J9 nothing of a tenant is found, changed or revealed under another", async () => {
      await store.create(run("r"), claimBy("a"), content(["1"], { status: "suspended" }));
      await store.reserve("acme", "q", { runId: "r", call: 1, at: 1 });
      await store.put("acme", "grant", "g", "mine", undefined, { at: 1 });
      await expect(store.load("evil", "r")).rejects.toMatchObject({
        code: "run_not_found",
        message: 'there is no run "r" of tenant "evil"',
      });
      expect(await codeOf(store.claim("evil", "r", claimBy("b", 9_000)))).toBe("run_not_found");
      expect(await codeOf(store.renew("evil", "r", { ...claimBy("a"), epoch: 1 }))).toBe("run_not_found");
      await store.release("evil", "r", 1);
      expect(await codeOf(store.append("evil", "r", { epoch: 1, from: 2, ...content(["no"]) }))).toBe("run_not_found");
      expect(await store.list({ tenant: "evil", limit: 10 })).toEqual([]);
      expect(await codeOf(store.settleRequest("evil", "q", "no"))).toBe("request_not_reserved");
      expect(await store.reserve("evil", "q", { runId: "x", call: 1, at: 1 })).toEqual({ first: true });
      expect(await store.get("evil", "grant", "g")).toBeUndefined();
      expect(await store.listDocuments("evil", "grant")).toEqual([]);
      expect(await store.remove("evil", "grant", "g")).toBe(false);
      await store.create(run("r", { tenant: "evil" }), claimBy("b"), content(["other"]));
      expect(await store.purge({ tenant: "evil", now: 9_000 })).toEqual({
        runs: 1,
        expired: 0,
        requests: 1,
        documents: 0,
      });
      expect(await store.load("acme", "r")).toMatchObject({ entries: ["1"], claim: { owner: "a", until: 1_500 } });
      expect(await store.get("acme", "grant", "g")).toMatchObject({ body: "mine" });
    });

    it("J4 a request is reserved once for its tenant, and its first outcome stands", async () => {
      const [odd] = hostileTexts.slice(1);
      expect(await store.reserve("acme", "q", { runId: "r", call: 7, at: 5 })).toEqual({ first: true });
      const again = { first: false, runId: "r", call: 7, at: 5 };
      expect(await store.reserve("acme", "q", { runId: "s", call: 1, at: 6 })).toEqual(again);
      expect(await store.settleRequest("acme", "q", odd ?? "")).toBe(odd);
      expect(await store.settleRequest("acme", "q", "later")).toBe(odd);
      expect(await store.reserve("acme", "q", { runId: "s", call: 1, at: 6 })).toEqual({ ...again, outcome: odd });
      await expect(store.settleRequest("acme", "p", "x")).rejects.toMatchObject({
        code: "request_not_reserved",
        message: 'request "p" of tenant "acme" was never reserved',
      });
    });

    it("J4 requests are written with the entries or not at all", async () => {
      const reserve = (requestId: string) => ({ kind: "reserve", requestId, call: 1 }) as const;
      const settle = (requestId: string) => ({ kind: "settle", requestId, outcome: `of ${requestId}` }) as const;
      const made = await store.create(
        run("r"),
        claimBy("a"),
        content(["1"], { requests: [reserve("p"), reserve("q")] }),
      );
      expect(made).toEqual({ epoch: 1, reservations: [{ first: true }, { first: true }] });
      const append = (from: number, requests: Content["requests"]): Promise<unknown> =>
        store.append("acme", "r", { epoch: 1, from, ...content(["2"], { requests }) });
      expect(await codeOf(append(1, [reserve("s"), settle("p")]))).toBe("store_fenced");
      expect(await codeOf(append(2, [reserve("t"), settle("p"), settle("never")]))).toBe("request_not_reserved");
      expect(await append(2, [settle("p"), reserve("p"), reserve("q"), reserve("s"), reserve("t")])).toEqual({
        epoch: 1,
        reservations: [
          { first: false, runId: "r", call: 1, at: 2_000, outcome: "of p" },
          { first: false, runId: "r", call: 1, at: 2_000 },
          { first: true },
          { first: true },
        ],
      });
      expect((await store.load("acme", "r")).entries).toEqual(["1", "2"]);
    });

    it("J5 a document changes only for whoever knows its version, and no version comes twice", async () => {
      const put = (body: string, expected: number | undefined, at = 1): Promise<number> =>
        store.put("acme", "state", "s", body, expected, { at });
      await expect(put("x", 1)).rejects.toMatchObject({
        code: "store_conflict",
        message: 'document "s" (state) of tenant "acme" is not there, and version 1 was expected',
      });
      expect(await put(hostileTexts[1] ?? "", undefined)).toBe(1);
      await expect(put("x", undefined)).rejects.toMatchObject({
        code: "store_conflict",
        message: 'document "s" (state) of tenant "acme" is at version 1, and none was expected',
        details: { tenant: "acme", kind: "state", id: "s", version: 1 },
      });
      expect(await store.get("acme", "state", "s")).toEqual({ id: "s", body: hostileTexts[1], version: 1, at: 1 });
      const races = await Promise.all([codeOf(put("b", 1, 2)), codeOf(put("b", 1, 2)), codeOf(put("b", 1, 2))]);
      expect(races.toSorted()).toEqual(["none", "store_conflict", "store_conflict"]);
      expect(await codeOf(store.remove("acme", "state", "s", 1))).toBe("store_conflict");
      expect(await store.remove("acme", "state", "s", 2)).toBe(true);
      expect(await store.remove("acme", "state", "s")).toBe(false);
      expect(await store.get("acme", "state", "s")).toBeUndefined();
      expect(await put("c", undefined)).toBe(4);
      expect(await codeOf(put("d", 1))).toBe("store_conflict");
    });

    it("J5 documents are listed by kind and prefix, in the order of their ids' bytes", async () => {
      const ids = ["a", "a%", "a%b", "a_", "ab", "B", "é", "\uffee", "🙂"];
      for (const id of ids.toReversed())
        await store.put("acme", "k", id, `of ${id}`, undefined, { at: 3, session: "s" });
      await store.put("acme", "other", "a", "x", undefined, { at: 3 });
      const listed = async (prefix?: string): Promise<string[]> =>
        (await store.listDocuments("acme", "k", prefix)).map(({ id }) => id);
      expect(await listed()).toEqual(["B", "a", "a%", "a%b", "a_", "ab", "é", "\uffee", "🙂"]);
      expect(await listed("a%")).toEqual(["a%", "a%b"]);
      expect(await listed("a")).toEqual(["a", "a%", "a%b", "a_", "ab"]);
      expect(await listed("zz")).toEqual([]);
      const [first] = await store.listDocuments("acme", "k", "B");
      expect(first).toEqual({ id: "B", body: "of B", version: 1, session: "s", at: 3 });
    });

    it("J5 runs are listed newest first, by session and status, page after page", async () => {
      for (const [n, at] of [3, 1, 2, 2].entries()) {
        const more = n === 0 ? { status: "suspended", expiresAt: 77 } : { status: "failed" };
        await store.create(run(`r${n}`, { at, session: n === 3 ? "b" : "a" }), claimBy("o"), {
          ...content(["1"]),
          ...(more as Partial<Content>),
        });
      }
      const listed = async (more: object, limit = 10): Promise<string[]> =>
        (await store.list({ tenant: "acme", limit, ...more })).map(({ runId }) => runId);
      expect(await listed({})).toEqual(["r0", "r3", "r2", "r1"]);
      expect(await listed({}, 2)).toEqual(["r0", "r3"]);
      expect(await listed({ before: { at: 2, runId: "r3" } })).toEqual(["r2", "r1"]);
      expect(await listed({ session: "a", status: "failed" })).toEqual(["r2", "r1"]);
      expect(await store.list({ tenant: "acme", status: "suspended", limit: 1 })).toEqual([
        {
          tenant: "acme",
          runId: "r0",
          session: "a",
          status: "suspended",
          at: 3,
          updatedAt: 2_000,
          entries: 1,
          expiresAt: 77,
          claim: { owner: "o", until: 1_500 },
        },
      ]);
    });

    it("J8 a purge takes what is meant and what has expired, and leaves what is claimed", async () => {
      const make = async (runId: string, session: string, at: number, more: Partial<Content> = {}): Promise<void> => {
        const requests = [{ kind: "reserve", requestId: `q-${runId}`, call: 1 }] as const;
        await store.create(run(runId, { session }), claimBy("a"), content(["1"], { at, requests, ...more }));
        await store.release("acme", runId, 1);
        await store.put("acme", "state", runId, "x", undefined, { session, at });
      };
      await make("old", "s", 10);
      await make("new", "s", 100);
      await make("other", "t", 10);
      await make("expired", "t", 100, { status: "suspended", expiresAt: 200 });
      await make("waiting", "t", 100, { status: "suspended", expiresAt: 900 });
      await make("claimed", "s", 10);
      await store.claim("acme", "claimed", claimBy("a", 0, 1_000));
      await store.reserve("acme", "loose", { runId: "nowhere", call: 1, at: 10 });
      const left = async (): Promise<string[]> =>
        (await store.list({ tenant: "acme", limit: 99 })).map(({ runId }) => runId).toSorted();

      expect(await store.purge({ tenant: "acme", session: "s", before: 50, now: 300 })).toEqual({
        runs: 1,
        expired: 0,
        requests: 1,
        documents: 2,
      });
      expect(await left()).toEqual(["claimed", "expired", "new", "other", "waiting"]);
      expect(await store.purge({ tenant: "acme", before: 50, now: 300 })).toEqual({
        runs: 2,
        expired: 1,
        requests: 3,
        documents: 1,
      });
      expect(await left()).toEqual(["claimed", "new", "waiting"]);
      expect(await codeOf(store.load("acme", "expired"))).toBe("run_not_found");
      expect(await store.reserve("acme", "loose", { runId: "r", call: 1, at: 1 })).toEqual({ first: true });
      expect(await store.purge({ tenant: "acme", session: "s", now: 300 })).toMatchObject({ runs: 1, documents: 1 });
      expect(await store.purge({ tenant: "acme", now: 1_000 })).toMatchObject({ runs: 2, expired: 1, documents: 2 });
      expect(await left()).toEqual([]);
      await store.create(run("old"), claimBy("a"), content([]));
      expect((await store.load("acme", "old")).entries).toEqual([]);
    });

    it("J5 refuses ids that no store could keep, and times that are none", async () => {
      const bad = { code: "invalid_options" };
      for (const runId of ["", "a\0b", "a\ud800", "x".repeat(501)]) {
        await expect(store.create(run(runId), claimBy("a"))).rejects.toMatchObject(bad);
      }
      await expect(store.load("\ud800", "r")).rejects.toThrow(
        "a tenant must be text without U+0000 and without lone surrogates",
      );
      await expect(store.append("acme", "r", { epoch: 1, from: 0, ...content([]) })).rejects.toMatchObject(bad);
      await expect(store.create(run("r"), claimBy("a", 0.5))).rejects.toMatchObject(bad);
      await expect(store.put("acme", "k", "x".repeat(1_001), "b", undefined, { at: 1 })).rejects.toMatchObject(bad);
    });

    it("J5 a closed store refuses every use, and closing twice is one closing", async () => {
      await store.create(run("r"), claimBy("a"), content(["1"]));
      const writing = store.append("acme", "r", { epoch: 1, from: 2, ...content(["2"]) });
      await Promise.all([writing, store.close(), store.close()]);
      await expect(store.load("acme", "r")).rejects.toMatchObject({
        code: "store_closed",
        message: "the store is closed",
      });
      expect(await codeOf(store.ready())).toBe("store_closed");
    });
  });
}
