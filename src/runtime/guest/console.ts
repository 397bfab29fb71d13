// console of a program: captured line by line into the outbox, within one budget of bytes; no method ever throws. A line
// costs its UTF-8 bytes and one for its end, so that the budget bounds the number of lines too.
import * as $ from "../../primordials.ts";
import type { Clock } from "./clock.ts";
import { format } from "./format.ts";
import type { Outbox } from "./outbox.ts";
import { render } from "./render.ts";
import { headWithin, utf8Bytes } from "./text.ts";

type Level = "log" | "info" | "warn" | "error" | "debug";

const defaultLabel = "default";

export interface Budget {
  /** Bytes of console output of one program. */
  bytes: number;
}

/** Installs `console`; `budget` is read when something is written. */
export function installConsole(root: object, outbox: Outbox, clock: Clock, budget: Budget): void {
  let used = 0;
  let isOver = false;
  let indent = "";
  const counts = new $.NativeMap<string, number>();
  const times = new $.NativeMap<string, number>();

  function emit(level: Level, text: string): void {
    const left = budget.bytes - used;
    const cost = utf8Bytes(text, left) + 1;
    isOver = cost > left;
    used += isOver ? left : cost;
    const shown = isOver ? headWithin(text, left - 1) : text;
    if (!isOver || shown !== "") outbox.add(`L${level} ${$.stringify(shown)}`);
    if (isOver) outbox.warn(`console output is over its limit of ${budget.bytes} bytes: the rest of it was dropped`);
  }

  function write(level: Level, args: readonly unknown[], prefix = ""): void {
    if (isOver) return;
    // One character more than fits beside the line's end, so that what is cut counts as over the budget.
    const text = `${prefix}${format(args, budget.bytes - used)}`;
    emit(level, indent === "" ? text : indented(text));
  }

  function indented(text: string): string {
    let out = indent;
    let from = 0;
    for (let at = $.indexOf(text, "\n"); at >= 0; at = $.indexOf(text, "\n", from)) {
      out += $.slice(text, from, at + 1) + indent;
      from = at + 1;
    }
    return out + $.slice(text, from);
  }

  const at = (level: Level) => (args: readonly unknown[]) => write(level, args);
  const labelOf = (args: readonly unknown[]): string => (args[0] === undefined ? defaultLabel : render(args[0], 200));

  function elapsed(args: readonly unknown[], ends: boolean): void {
    const label = labelOf(args);
    const start = $.mapGet(times, label);
    if (start === undefined) return write("warn", [`there is no timer "${label}"`]);
    if (ends) $.mapDelete(times, label);
    const more = tail(args);
    write("log", [`${label}: ${clock.now() - start}ms`, ...more]);
  }

  const methods: Readonly<Record<string, (args: readonly unknown[]) => void>> = {
    log: at("log"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    debug: at("debug"),
    dir: (args) => write("log", args.length === 0 ? [] : [args[0]]),
    dirxml: at("log"),
    table: (args) => write("log", args.length === 0 ? [] : [args[0]]),
    trace: (args) => write("debug", args, "Trace: "),
    assert: (args) => {
      if (args[0]) return;
      write("error", tail(args), args.length > 1 ? "Assertion failed: " : "Assertion failed");
    },
    count: (args) => {
      const label = labelOf(args);
      const count = ($.mapGet(counts, label) ?? 0) + 1;
      $.mapSet(counts, label, count);
      write("log", [`${label}: ${count}`]);
    },
    countReset: (args) => void $.mapDelete(counts, labelOf(args)),
    time: (args) => void $.mapSet(times, labelOf(args), clock.now()),
    timeLog: (args) => elapsed(args, false),
    timeEnd: (args) => elapsed(args, true),
    group: (args) => group(args),
    groupCollapsed: (args) => group(args),
    groupEnd: () => {
      indent = $.slice(indent, 2);
    },
    clear: () => undefined,
  };

  function group(args: readonly unknown[]): void {
    if (args.length > 0) write("log", args);
    if (indent.length < 40) indent += "  ";
  }

  const console = {};
  const names = $.keys(methods);
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] as string;
    const method = methods[name];
    if (method === undefined) continue;
    const logger = (...args: unknown[]): void => {
      try {
        method(args);
      } catch {
        // Logging never throws: what cannot be shown is not shown.
      }
    };
    $.define(logger, "name", name);
    $.define(console, name, logger, true);
  }
  $.define(root, "console", console);
}

/** All but the first, without iteration. */
function tail(args: readonly unknown[]): unknown[] {
  const rest: unknown[] = [];
  for (let i = 1; i < args.length; i += 1) $.define(rest, i - 1, args[i], true);
  return rest;
}
