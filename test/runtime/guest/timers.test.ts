import { afterAll, beforeAll, expect, it } from "vitest";
import { type Guests, startGuests } from "./harness.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await startGuests();
});
afterAll(() => guests.stop());

it("X4 timers are asked of the host and fire when it says so (field report F6)", async () => {
  const guest = await guests.open(
    "const t = await new Promise((resolve) => setTimeout(resolve, 5.9, 'done')); return [t, Date.now()]",
  );
  expect(guest.first.lines).toEqual(["T1 5"]);
  expect((await guest.step("1 fire 1700000000009")).lines).toEqual(["S1", 'R ["done",1700000000009]']);
  await guest.close();
});

it("X4 delays are whole numbers within bounds, whatever is given", async () => {
  const { lines } = await guests.run(
    "for (const ms of [undefined, -5, NaN, 'x', '7', Infinity, 1e12]) setTimeout(() => {}, ms); setInterval(() => {}, 0); return 1",
  );
  expect(lines.slice(0, 8)).toEqual(["T1 0", "T2 0", "T3 0", "T4 0", "T5 7", "T6 999999999", "T7 999999999", "T8 1"]);
});

it("X4 a cleared timer is taken back and never runs, also when the host fires it", async () => {
  const guest = await guests.open(
    "const id = setTimeout(() => console.log('no'), 5); await tools.echo({}); clearTimeout(id); clearTimeout(id); clearTimeout('x'); clearTimeout(); await tools.echo({})",
  );
  expect(guest.first.lines).toEqual(["T1 5", "C2 0 {}"]);
  expect((await guest.step("2 ok 5 1")).lines).toEqual(["S1", "K1", "C3 0 {}"]);
  expect((await guest.step("1 fire 5")).lines).toEqual(["S1"]);
  await guest.close();
});

it("X5 timers started and cleared in one turn are never told, whatever their number", async () => {
  const guest = await guests.open(
    "tools.echo({ a: 1 }); const kept = setTimeout(() => {}, 1); for (let i = 0; i < 20000; i += 1) clearTimeout(setTimeout(() => console.log('no'), 1)); console.log('end'); setTimeout(() => {}, 7); await new Promise(() => {})",
    { limits: { timers: 2 } },
  );
  expect(guest.first.lines).toEqual(['C1 0 {"a":1}', "T2 1", 'Llog "end"', "T20003 7"]);
  expect((await guest.step("3 fire 5")).lines).toEqual(["S1"]);
  await guest.close();
});

it("X4 an interval asks anew each time, under a number of its own", async () => {
  const guest = await guests.open(
    "let n = 0; const id = setInterval(() => { console.log(++n); if (n === 2) clearInterval(id) }, 10); await tools.echo({})",
  );
  expect(guest.first.lines).toEqual(["T1 10", "C2 0 {}"]);
  expect((await guest.step("1 fire 5")).lines).toEqual(["S1", "T3 10", 'Llog "1"']);
  expect((await guest.step("3 fire 6")).lines).toEqual(["S1", 'Llog "2"']);
  await guest.close();
});

it("X5 pending timers are bounded", async () => {
  const { value } = await guests.run(
    "try { for (;;) setTimeout(() => {}, 1) } catch (error) { return [error.name, error.message, error.stack.split('\\n').length] }",
    { limits: { timers: 3 } },
  );
  expect(value).toEqual(["RangeError", "a program has at most 3 timers at a time: await some of them first", 2]);
});

it("X4 a timer that has fired makes room for another", async () => {
  const { value } = await guests.run(
    "for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 1)); return 'ok'",
    { limits: { timers: 1 } },
  );
  expect(value).toBe("ok");
});

it("X9 what a callback throws is a warning, and the program goes on", async () => {
  const { value, warnings } = await guests.run(`
    setTimeout(() => { throw new TypeError("in a timer") }, 1);
    setTimeout(async () => { await null; throw { later: true } }, 1);
    queueMicrotask(() => { throw "in a microtask" });
    await new Promise((resolve) => setTimeout(resolve, 2));
    return "went on"`);
  expect(value).toBe("went on");
  expect(warnings).toEqual([
    "a queueMicrotask callback threw in a microtask",
    "a timer callback threw TypeError: in a timer",
    'a timer callback threw {"later":true}',
  ]);
});

it("X5 warnings are bounded", async () => {
  const { warnings } = await guests.run(
    "for (let i = 0; i < 500; i++) queueMicrotask(() => { throw i }); await null; return 1",
  );
  expect(warnings).toHaveLength(100);
  expect(warnings[99]).toBe("further warnings of this program are left out");
});

it("X4 only functions are called", async () => {
  const { value } = await guests.run(
    "return [() => setTimeout('alert(1)'), () => setInterval(), () => queueMicrotask(1)].map((run) => { try { run() } catch (error) { return error.name + ': ' + error.message } })",
  );
  expect(value).toEqual([
    "TypeError: a timer takes a function to call: setTimeout(() => { ... }, ms)",
    "TypeError: a timer takes a function to call: setTimeout(() => { ... }, ms)",
    "TypeError: queueMicrotask takes a function to call",
  ]);
});

it("X9 no frame of the bootstrap lies under a callback or the program (G7)", async () => {
  const { value } = await guests.run(`
    const stacks = [new Error("main").stack];
    queueMicrotask(() => stacks.push(new Error("micro").stack));
    await new Promise((resolve) => setTimeout((given) => { stacks.push(new Error(given).stack); resolve() }, 1, "timer"));
    return stacks`);
  expect(value).toEqual([
    "Error: main\n    at program.ts:2:21",
    "Error: micro\n    at program.ts:3:38",
    "Error: timer\n    at program.ts:4:72",
  ]);
});
