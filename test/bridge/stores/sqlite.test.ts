import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "../../../src/bridge/stores/sqlite.ts";
import type { Store } from "../../../src/bridge/stores/store.ts";
import { storeModel } from "../../contract/store-model.ts";
import { claimBy, codeOf, content, run, storeSuite } from "../../contract/store-suite.ts";
import { type FileHome, sqliteHome } from "./homes.ts";

storeSuite("a SQLite file", sqliteHome);
storeModel("a SQLite file", sqliteHome, 60);

const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name);

const canMount = ((): boolean => {
  try {
    execFileSync("unshare", ["-rm", "true"], { stdio: "ignore" });
    return process.platform === "linux";
  } catch {
    return false;
  }
})();

describe("a SQLite file in trouble", () => {
  let home: FileHome;
  let store: Store;
  beforeEach(async () => {
    home = await sqliteHome();
    store = home.open();
  });
  afterEach(async () => {
    await store.close();
    await home.drop();
  });
  const make = (): Promise<unknown> => store.create(run("r"), claimBy("a"), content(["1", "2", "3"]));
  const byHand = (sql: string): void => {
    using database = new DatabaseSync(home.path);
    database.exec(sql);
  };
  const reopen = async (): Promise<void> => {
    await store.close();
    store = home.open();
  };

  it.each([
    ["update codecall_entry set body = '9' where n = 2", "entry 2", "was changed", 2],
    ["update codecall_entry set n = 9 where n = 2", "entry 2", "is missing", 2],
    ["delete from codecall_entry where n = 3", "entry 3", "is missing", 3],
    ["update codecall_header set body = '{}'", "the header", "was changed", "header"],
    ["delete from codecall_header", "the header", "is missing", "header"],
  ])("J2 a record changed by hand is refused, naming run and entry: %s", async (sql, what, why, n) => {
    await make();
    byHand(sql);
    await expect(store.load("acme", "r")).rejects.toMatchObject({
      code: "store_tampered",
      message: `${what} of run "r" of tenant "acme" ${why}`,
      details: { tenant: "acme", runId: "r", n },
    });
  });

  it("J2 an entry that somebody put where the next one goes fences the writer", async () => {
    await make();
    byHand("insert into codecall_entry select run, 4, size, sum, body from codecall_entry where n = 3");
    expect(await codeOf(store.append("acme", "r", { epoch: 1, from: 4, ...content(["4"]) }))).toBe("store_fenced");
    expect((await store.load("acme", "r")).entries).toEqual(["1", "2", "3"]);
  });

  it("J5 a newer schema is refused, and nothing of it is touched", async () => {
    await make();
    byHand("insert into codecall_schema_version values (2)");
    await reopen();
    await expect(store.ready()).rejects.toMatchObject({
      code: "store_newer",
      message: `the file ${home.path} has schema version 2; this codecall knows up to 1`,
    });
  });

  it("J5 what is no database is refused and left as it is", async () => {
    writeFileSync(home.path, "these are notes, and no database at all ".repeat(100));
    await expect(store.ready()).rejects.toMatchObject({
      code: "store_corrupt",
      message: `the file ${home.path} is no SQLite database: file is not a database`,
      hint: "give the path of a store, or of a file that does not exist yet",
    });
    expect(readFileSync(home.path, "utf8")).toMatch(/^these are notes/);
  });

  it("J5 a damaged file is told, naming it", async () => {
    for (let n = 0; n < 20; n += 1) await store.create(run(`r${n}`), claimBy("a"), content(["x".repeat(20_000)]));
    await store.close();
    const file = openSync(home.path, "r+");
    for (let at = 4_096; at < statSync(home.path).size; at += 4_096)
      writeSync(file, Buffer.alloc(4_096, 0xee), 0, 4_096, at);
    store = home.open();
    await expect(store.list({ tenant: "acme", limit: 5 })).rejects.toMatchObject({
      code: "store_corrupt",
      message: expect.stringContaining(`the file ${home.path} is damaged`),
    });
  });

  it("J5 a folder that is missing, and a path that is one, are told", async () => {
    const none = sqliteStore({ path: join(home.path, "none", "runs.db") });
    await expect(none.ready()).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("cannot be opened: ENOENT"),
      hint: "check that its folder is there and that this process may use it",
    });
    mkdirSync(home.path);
    await expect(store.ready()).rejects.toMatchObject({ code: "store_unavailable" });
    rmSync(home.path, { recursive: true });
    await none.close();
    await store.ready();
  });

  it("J5 a file that was removed or replaced while open takes no more writes", async () => {
    await make();
    renameSync(home.path, `${home.path}.old`);
    const append = (): Promise<unknown> => store.append("acme", "r", { epoch: 1, from: 4, ...content(["4"]) });
    await expect(append()).rejects.toMatchObject({
      code: "store_unavailable",
      message: `the file ${home.path} was removed while it was open`,
    });
    writeFileSync(home.path, "");
    await expect(append()).rejects.toThrow("was replaced while it was open");
    rmSync(home.path);
    renameSync(`${home.path}.old`, home.path);
    await append();
  });

  it("J5 another process's lock is waited for while the host goes on, and told where it lasts", async () => {
    await make();
    const append = (on: Store, from: number): Promise<unknown> =>
      on.append("acme", "r", { epoch: 1, from, ...content([`${from}`]) });
    const other = new DatabaseSync(home.path);
    other.exec("begin immediate");
    const hasty = sqliteStore({ path: home.path, busyMs: 20 });
    await expect(append(hasty, 4)).rejects.toMatchObject({
      code: "store_locked",
      message: `the file ${home.path} is locked by another process for more than 20 ms: database is locked`,
    });
    // Only this thread can lift the lock, so it has to be free while the store waits.
    const writing = append(store, 4);
    await append(hasty, 4).catch(() => undefined);
    other.exec("commit");
    await writing;
    await append(hasty, 5);
    await hasty.close();
    other.close();
  });

  it("J5 J9 two processes that make one file, and take turns on one run, lose and repeat nothing", async () => {
    const lines = await Promise.all(
      ["a", "b", "c"].map((name) =>
        promisify(execFile)(process.execPath, [fixture("appender.ts"), home.path, name, "40"]),
      ),
    );
    const said = lines.flatMap(({ stdout }) => stdout.trim().split("\n"));
    const { entries } = await store.load("acme", "r");
    expect(entries).toHaveLength(120);
    expect(entries.toSorted()).toEqual(said.toSorted());
    for (const name of ["a", "b", "c"]) {
      expect(entries.filter((entry) => entry.startsWith(name))).toEqual(
        Array.from({ length: 40 }, (_, n) => `${name} ${n}`),
      );
    }
  });

  it("J2 J9 what was acknowledged is there after SIGKILL, and another owner goes on once the claim ends", async () => {
    const child: ChildProcess = spawn(process.execPath, [fixture("appender.ts"), home.path, "a", "100000"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      said.push(line);
      if (said.length === 50) child.kill("SIGKILL");
    }
    await ended;
    const { entries, epoch, claim } = await store.load("acme", "r");
    expect(entries.slice(0, said.length)).toEqual(said);
    expect(entries.length - said.length).toBeLessThan(2);
    const later = claimBy("b", (claim?.until ?? 0) + 1);
    expect(await store.claim("acme", "r", later)).toBe(epoch + 1);
    await store.append("acme", "r", { epoch: epoch + 1, from: entries.length + 1, ...content(["b"]) });
  });

  it.skipIf(!canMount)(
    "J5 a full disk and a read-only one are told, and what was acknowledged is whole (skipped where unshare cannot mount)",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "codecall-disk-"));
      const path = join(folder, "runs.db");
      const script = 'mount -t tmpfs -o size=700k none "$1" && exec "$2" "$3" "$1/runs.db"';
      const text = execFileSync(
        "unshare",
        ["-rm", "sh", "-c", script, "sh", folder, process.execPath, fixture("small-disk.ts")],
        {
          encoding: "utf8",
        },
      );
      rmSync(folder, { recursive: true });
      expect(JSON.parse(text)).toEqual({
        full: {
          code: "store_full",
          message: `the file ${path} cannot grow, as its disk is full: database or disk is full`,
          hint: "make room on the disk, or purge old runs, then go on; what was acknowledged is kept",
        },
        kept: expect.any(Number),
        together: ["rejected", "fulfilled"],
        isWhole: true,
        refused: {
          code: "store_read_only",
          message: expect.stringContaining(`the file ${path} cannot be written`),
          hint: "give this process the right to write the file and its folder",
        },
      });
    },
  );

  it("J2 a refused write takes none of those with it that share its commit", async () => {
    await make();
    const codes = await Promise.all([
      codeOf(store.append("acme", "r", { epoch: 1, from: 4, ...content(["4"]) })),
      codeOf(store.append("acme", "r", { epoch: 1, from: 4, ...content(["no"]) })),
      codeOf(store.create(run("r"), claimBy("b"))),
      codeOf(store.append("acme", "r", { epoch: 1, from: 5, ...content(["5"]) })),
    ]);
    expect(codes).toEqual(["none", "store_fenced", "run_exists", "none"]);
    expect((await store.load("acme", "r")).entries).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("J8 the file is readable by its owner alone, and what was purged is not in it any more", async () => {
    await store.create(run("r", { header: "a secret header" }), claimBy("a"), content(["a secret entry"]));
    await store.release("acme", "r", 1);
    await reopen();
    expect(statSync(home.path).mode & 0o777).toBe(0o600);
    expect(readFileSync(home.path, "latin1")).toContain("a secret entry");
    await store.purge({ tenant: "acme", now: 9_999 });
    await reopen();
    await store.ready();
    await store.close();
    expect(readFileSync(home.path, "latin1")).not.toContain("secret");
  });

  it("J5 options that make no file are refused", () => {
    expect(() => sqliteStore({ path: "" })).toThrow("option path of sqliteStore must be text that is not empty");
    expect(() => sqliteStore({ path: ":memory:" })).toThrow("must be the path of a file");
    expect(() => sqliteStore({ path: "x", synchronous: "off" as "full" })).toThrow('must be "full" or "normal"');
    expect(() => sqliteStore({ path: "x", busyMs: -1 })).toThrow("must be a number of ms, got -1");
  });

  it("J5 a thread that cannot start, or is lost, fails what it had, and the store says so", async () => {
    const none = sqliteStore({ path: home.path, workerPath: join(home.path, "no-thread.js") });
    await expect(none.ready()).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining(`the thread of the store ${home.path} was lost: `),
    });
    await none.close();
  });
});
