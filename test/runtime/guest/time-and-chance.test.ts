import { afterAll, beforeAll, expect, it } from "vitest";
import { type Guests, startGuests } from "./harness.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await startGuests();
});
afterAll(() => guests.stop());

const at = 1_700_000_000_000;

it("X4 all clocks show the time of the last settlement and stand still between (G2)", async () => {
  const program = `
    const show = () => [Date.now(), +new Date(), new Date().toISOString(), Date(), new Intl.DateTimeFormat("en", { timeStyle: "medium" }).format(),
      new Intl.DateTimeFormat("en", { second: "numeric" }).formatToParts().map((part) => part.value).join(""), performance.now(), performance.timeOrigin, Reflect.construct(Date, []).getTime(), new (new Date().constructor)().getTime()];
    const first = show();
    await tools.echo({});
    return [first, show()]`;
  const guest = await guests.open(program, { now: at });
  const { lines } = await guest.step(`1 ok ${at + 2_500.75} 1`);
  expect(JSON.parse(lines[1]?.slice(2) ?? "")).toEqual([
    [
      at,
      at,
      "2023-11-14T22:13:20.000Z",
      "Tue Nov 14 2023 22:13:20 GMT+0000 (Coordinated Universal Time)",
      "10:13:20 PM",
      "20",
      0,
      at,
      at,
      at,
    ],
    [
      at + 2_500,
      at + 2_500,
      "2023-11-14T22:13:22.500Z",
      "Tue Nov 14 2023 22:13:22 GMT+0000 (Coordinated Universal Time)",
      "10:13:22 PM",
      "22",
      2_500.75,
      at,
      at + 2_500,
      at + 2_500,
    ],
  ]);
  await guest.close();
});

it("X4 time never runs backwards (G2)", async () => {
  const guest = await guests.open(
    "await tools.echo({}); const a = Date.now(); await tools.echo({}); return [a, Date.now()]",
    { now: at },
  );
  await guest.step(`1 ok ${at + 10} 1`);
  expect((await guest.step(`2 ok ${at - 10} 1`)).lines).toEqual(["S1", `R [${at + 10},${at + 10}]`]);
  await guest.close();
});

it("X4 Date is otherwise the engine's own, also when subclassed", async () => {
  const { value } = await guests.run(`
    class Own extends Date {}
    const format = new Intl.DateTimeFormat("en");
    return [new Date(0).toISOString(), new Date(2020, 0, 2).toISOString(), Date.UTC(1970, 0, 1), Date.parse("1970-01-01T00:00:01Z"), String(new Date("x")),
      new Own() instanceof Own, new Own(5).getTime(), Date.length, Date.name, new Date(0) instanceof Date, format.format(new Date(0)), format.format === format.format]`);
  expect(value).toEqual([
    "1970-01-01T00:00:00.000Z",
    "2020-01-02T00:00:00.000Z",
    0,
    1_000,
    "Invalid Date",
    true,
    5,
    7,
    "Date",
    true,
    "1/1/1970",
    true,
  ]);
});

const draws =
  "return [Math.random(), Math.random(), crypto.randomUUID(), Array.from(crypto.getRandomValues(new Uint8Array(4))), crypto.getRandomValues(new Uint32Array(1))[0]]";

it("J6 randomness comes from the seed alone, and different seeds differ (field report K3)", async () => {
  const [a, b, c] = [
    await guests.run(draws, { seed: [1, 2, 3, 4] }),
    await guests.run(draws, { seed: [1, 2, 3, 4] }),
    await guests.run(draws, { seed: [1, 2, 3, 5] }),
  ];
  expect(a.value).toEqual(b.value);
  expect(a.value).not.toEqual(c.value);
});

it("J6 Math.random and crypto draw from streams of their own", async () => {
  const alone = await guests.run("return crypto.randomUUID()");
  const after = await guests.run("for (let i = 0; i < 10; i++) Math.random(); return crypto.randomUUID()");
  expect(after.value).toBe(alone.value);
  expect(alone.value).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it("X4 Math.random is even over [0, 1)", async () => {
  const { value } = await guests.run(
    "const bins = Array(10).fill(0); for (let i = 0; i < 10000; i++) bins[Math.floor(Math.random() * 10)]++; return [bins.length, Math.min(...bins) > 850, Math.max(...bins) < 1150]",
  );
  expect(value).toEqual([10, true, true]);
});

it("X4 crypto fills what it can fill and refuses the rest", async () => {
  const { value } = await guests.run(`
    const attempt = (given) => { try { return crypto.getRandomValues(given) === given } catch (error) { return error.name + ": " + error.message } };
    const part = new Uint8Array(8);
    crypto.getRandomValues(part.subarray(2, 4));
    return [attempt(new Uint8Array(0)), attempt(new Float64Array(1)), attempt([1]), attempt(new Uint8Array(65537)), part.slice(0, 2).join() + part.slice(4).join()]`);
  expect(value).toEqual([
    true,
    "TypeError: crypto.getRandomValues takes an integer typed array, e.g. new Uint8Array(16)",
    "TypeError: crypto.getRandomValues takes an integer typed array, e.g. new Uint8Array(16)",
    "QuotaExceededError: crypto.getRandomValues fills at most 65536 bytes at once, got 65537",
    "0,00,0,0,0",
  ]);
});
