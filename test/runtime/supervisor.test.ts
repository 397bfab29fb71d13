import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createSupervisor, type Reply, type Supervisor } from "../../src/runtime/supervisor.ts";

interface Answer {
  readonly id: number;
  readonly by: number;
}

const open: Supervisor<Answer>[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((one) => one.close()))));

function supervise(): (text: string, limitMs: number, withinMs?: number) => Promise<Reply<Answer>> {
  const supervisor = createSupervisor<Answer>({
    what: "answering",
    nodePath: process.execPath,
    script: join(import.meta.dirname, "fixtures/answering.ts"),
    flags: ["--no-warnings"],
    ulimits: {},
    entangled: false,
    read(line) {
      const value = JSON.parse(line) as Answer & { readonly ready?: boolean };
      return value.ready === true ? "ready" : value;
    },
  });
  open.push(supervisor);
  return (text, limitMs, withinMs) =>
    supervisor.ask({
      text,
      limitMs,
      ...(withinMs === undefined ? {} : { withinMs }),
      request: (id) => ({ id, text }),
    });
}

it("X11 X12 a text whose time runs out costs those beside it neither their answer nor their process", async () => {
  const ask = supervise();
  const { answer } = await ask("first", 5_000);
  const [never, late] = await Promise.all([ask("never", 100), ask("late", 5_000)]);
  expect(never).toEqual({ limitMs: 100 });
  expect(late.answer?.by).toBe(answer?.by);
  // The process is replaced after that, and the text is not tried again.
  const next = await ask("next", 5_000);
  expect(next.answer?.by).toEqual(expect.any(Number));
  expect(next.answer?.by).not.toBe(answer?.by);
  expect(await ask("never", 100)).toEqual({});
});

it("X11 texts in line behind ones that never end wait no longer than they may, all at the same time", async () => {
  const ask = supervise();
  await ask("first", 5_000);
  const stuck = [1, 2, 3, 4].map((n) => ask(`never ${n}`, 60_000, 150));
  const inLine = [1, 2, 3, 4, 5, 6].map((n) => ask(`ready ${n}`, 60_000, 150));
  expect(await Promise.all([...stuck, ...inLine])).toEqual(Array.from({ length: 10 }, () => ({ limitMs: 150 })));
});
