import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresClient, type PostgresPool, postgresStore } from "../../../src/bridge/stores/postgres.ts";
import { storeModel } from "../../contract/store-model.ts";
import { claimBy, codeOf, content, run, type StoreHome, storeSuite } from "../../contract/store-suite.ts";

const connectionString = "postgresql://postgres@127.0.0.1:5432/postgres";

const isThere = await new Promise<boolean>((resolve) => {
  const socket = connect(5432, "127.0.0.1");
  const end = (answers: boolean) => () => {
    socket.destroy();
    resolve(answers);
  };
  socket.once("connect", end(true)).once("error", end(false));
});
const isNeeded = process.env.CODECALL_REQUIRE_SHARED === "1";

const newSchema = (): string => `test_${randomUUID().replaceAll("-", "")}`;

/** One embedded database as a pool of one connection. */
function poolOf(database: PGlite): PostgresPool {
  let last: Promise<void> = Promise.resolve();
  return {
    async connect() {
      const before = last;
      const turn = Promise.withResolvers<void>();
      last = turn.promise;
      await before;
      const client: PostgresClient = {
        query: (sql, values) => database.query(sql, values),
        release: () => turn.resolve(),
      };
      return client;
    },
  };
}

describe("PostgreSQL, embedded", () => {
  const database = new PGlite();
  afterAll(() => database.close());

  async function home(): Promise<StoreHome> {
    const schema = newSchema();
    return {
      open: () => postgresStore({ pool: poolOf(database), schema }),
      drop: async () => void (await database.exec(`drop schema if exists "${schema}" cascade`)),
    };
  }
  // Handles that share one connection have to share the pool too.
  const pool = poolOf(database);
  storeSuite("PostgreSQL, embedded", async () => {
    const { drop } = await home();
    const schema = newSchema();
    return {
      open: () => postgresStore({ pool, schema }),
      async drop() {
        await drop();
        await database.exec(`drop schema if exists "${schema}" cascade`);
      },
    };
  });
});

describe.skipIf(!isThere && !isNeeded)("PostgreSQL, on a server (skipped where 127.0.0.1:5432 does not answer)", () => {
  const admin = new pg.Pool({ connectionString, max: 2 });
  beforeAll(() => {
    if (!isThere) throw new Error("127.0.0.1:5432 does not answer, and CODECALL_REQUIRE_SHARED=1 says that it must");
  });
  afterAll(() => admin.end());

  interface ServerHome extends StoreHome {
    readonly schema: string;
  }

  async function home(): Promise<ServerHome> {
    const schema = newSchema();
    return {
      schema,
      open: () => postgresStore({ connectionString, schema }),
      drop: async () => void (await admin.query(`drop schema if exists "${schema}" cascade`)),
    };
  }
  storeSuite("PostgreSQL, on a server", home);
  storeModel("PostgreSQL, on a server", home, 15);

  it("J5 several that start at once on no schema make it once", async () => {
    const { open, drop } = await home();
    const stores = Array.from({ length: 6 }, open);
    expect(await Promise.all(stores.map((store) => codeOf(store.ready())))).toEqual(Array<string>(6).fill("none"));
    await Promise.all(stores.map((store) => store.close()));
    await drop();
  });

  it("J5 a newer schema is refused and left alone", async () => {
    const { open, drop, schema } = await home();
    const store = open();
    await store.ready();
    await store.close();
    await admin.query(`insert into "${schema}".schema_version values (99)`);
    const older = open();
    await expect(older.create(run("r"), claimBy("a"))).rejects.toMatchObject({
      code: "store_newer",
      message: `the PostgreSQL schema "${schema}" has schema version 99; this codecall knows up to 1`,
      hint: "update codecall, or use another store",
    });
    await older.close();
    await drop();
  });

  it("J2 J5 a record that was changed by hand is refused by its run and entry", async () => {
    const { open, drop, schema } = await home();
    const store = open();
    await store.create(run("r"), claimBy("a"), content(["1", "2", "3"]));
    await admin.query(`update "${schema}".entry set body = '9' where n = 2`);
    await expect(store.load("acme", "r")).rejects.toMatchObject({
      code: "store_tampered",
      message: 'entry 2 of run "r" of tenant "acme" was changed',
      details: { tenant: "acme", runId: "r", n: 2 },
    });
    await admin.query(`delete from "${schema}".entry where n = 2`);
    await expect(store.load("acme", "r")).rejects.toThrow('entry 2 of run "r" of tenant "acme" is missing');
    await store.close();
    await drop();
  });

  it("J5 connections that are cut fail what they carried, and the store goes on with others", async () => {
    const { open, drop, schema } = await home();
    const store = open();
    await store.create(run("r"), claimBy("a"), content(["1"]));
    const locker = await admin.connect();
    await locker.query("begin");
    await locker.query(`select * from "${schema}".run for update`);
    const writing = codeOf(store.append("acme", "r", { epoch: 1, from: 2, ...content(["2"]) }));
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where query like 'update "${schema}"%' and wait_event_type = 'Lock'`;
    for (let isCut = false; !isCut;) isCut = ((await admin.query(cut)).rowCount ?? 0) > 0;
    expect(await writing).toBe("store_unavailable");
    await locker.query("commit");
    locker.release();
    expect((await store.load("acme", "r")).entries).toEqual(["1"]);
    await store.append("acme", "r", { epoch: 1, from: 2, ...content(["2"]) });
    await store.close();
    await drop();
  });

  it("J5 a role that may only read is told so", async () => {
    const { open, drop, schema } = await home();
    const store = open();
    await store.create(run("r"), claimBy("a"), content(["1"]));
    await store.close();
    const readOnly = postgresStore({
      connectionString: `${connectionString}?options=-c%20default_transaction_read_only%3Don`,
      schema,
    });
    await expect(readOnly.append("acme", "r", { epoch: 1, from: 2, ...content(["2"]) })).rejects.toMatchObject({
      code: "store_read_only",
      hint: "connect to the primary, as a role that may create and write the tables of the schema",
    });
    expect((await readOnly.load("acme", "r")).entries).toEqual(["1"]);
    await readOnly.close();
    await drop();
  });
});

describe("PostgreSQL that is not there", () => {
  it("J5 rejects ready() and every use, naming neither address nor password, until it is", async () => {
    const store = postgresStore({ connectionString: "postgresql://user:secret@127.0.0.1:1/none" });
    const failure = await store.ready().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "store_unavailable", message: expect.not.stringContaining("secret") });
    expect(await codeOf(store.load("acme", "r"))).toBe("store_unavailable");
    await store.close();
  });

  it("J5 options that fit no database are refused", () => {
    expect(() => postgresStore({})).toThrow("postgresStore takes either connectionString or pool");
    expect(() => postgresStore({ connectionString, schema: 'x"; drop' })).toThrow("option schema of postgresStore");
  });
});
