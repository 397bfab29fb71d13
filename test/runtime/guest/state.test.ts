import { afterAll, beforeAll, expect, it } from "vitest";
import { type Guests, startGuests } from "./harness.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await startGuests();
});
afterAll(() => guests.stop());

const last = async (js: string, state = "{}"): Promise<readonly string[]> => {
  const { lines } = await guests.run(js, { state, limits: { stateBytes: 40 } });
  return lines.filter((line) => /^[MWREV]/.test(line));
};

it("X14 is told where the program changed it, right before its end, and not where it did not", async () => {
  expect(await last("state.n += 1; return state.n", '{"n":1}')).toEqual(['M {"n":2}', "R 2"]);
  expect(await last("state.n = 1; return state.n", '{"n":1}')).toEqual(["R 1"]);
  expect(await last("state.at = 1; throw new Error('no')")).toEqual(['M {"at":1}', expect.stringMatching(/^E /)]);
  expect(await last("await tools.echo({}); state = { again: state.n }; return 1", '{"n":1}')).toEqual([
    'M {"again":1}',
    "R 1",
  ]);
});

it.each([
  ["state.big = 'é'.repeat(20)", "is over 40 bytes of JSON"],
  ["state = 5", "is no object any more"],
  ["state.self = state", "is not JSON: $.self refers back to $; JSON cannot hold a cycle"],
  ["Object.defineProperty(globalThis, 'state', { get() { for (;;); } })", "is no object any more"],
  ["state.x = { get y() { throw new Error('no') } }", "is not JSON: $.x cannot be read: no"],
])("X14 C7 what cannot be kept is told: %s", async (js, why) => {
  const [warning, end] = await last(`${js}; return 1`);
  expect(JSON.parse((warning ?? "").slice(2))).toMatch(/^`state` .*; what it was before is kept$/);
  expect(JSON.parse((warning ?? "").slice(2))).toContain(why);
  expect(end).toBe("R 1");
});

it("X14 X10 X2 holds whatever a program does to prototypes and built-ins", async () => {
  const attack = `
    String.prototype.slice = () => ""; JSON.stringify = () => "forged";
    Object.defineProperty(Object.prototype, "ref", { get() { return "stolen" }, set() {} });
    Object.getOwnPropertyDescriptor = () => ({ value: { forged: 1 } });
    Object.keys = () => ["forged"];`;
  const { lines } = await guests.run(
    `${attack} state.n = 2; void results.get("a", { path: "b" }); void show("c"); return 1`,
    {
      state: '{"n":1}',
    },
  );
  expect(lines).toContain('M {"n":2}');
  expect(lines.filter((line) => line.startsWith("C"))).toEqual(['C1 1 {"path":"b","ref":"a"}', 'C2 2 {"ref":"c"}']);
});

it("X10 results.get and show take a ref or a reference, and leave all else for the host to judge", async () => {
  const { lines } = await guests.run(
    "void results.get({ ref: 'r', bytes: 1 }, { limit: 2 }); void show({ ref: 's' }); void results.get(); void results.get('t', 7); return 1",
  );
  expect(lines.filter((line) => line.startsWith("C"))).toEqual([
    'C1 1 {"limit":2,"ref":"r"}',
    'C2 2 {"ref":"s"}',
    "C3 1 {}",
    'C4 1 {"options":7,"ref":"t"}',
  ]);
  const { error } = await guests.run("await results.get('a', { path: () => 1 })");
  expect(error).toMatchObject({
    code: "arguments_not_json",
    message: expect.stringMatching(/^the arguments of results\.get are not JSON/) as string,
  });
});
