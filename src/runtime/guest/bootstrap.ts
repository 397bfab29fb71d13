// The guest's side of the sandbox, evaluated in a fresh isolate before any program. No function of the host is here: the
// sandbox process calls `step` and `take`, and only text crosses. A program may do anything to the objects it can reach;
// what stands here uses none of them.
import { isJsonError, toJson } from "../../json.ts";
import { bounds } from "../../limits.ts";
import { type Dropped, preview } from "../../preview.ts";
import * as $ from "../../primordials.ts";
import type { GuestHeader, UnusableCode } from "../protocol.ts";
import { AbortController, AbortSignal, installSignalTimeout } from "./abort.ts";
import { installAbsent } from "./absent.ts";
import { atob, btoa } from "./base64.ts";
import { type Calls, createCalls } from "./calls.ts";
import { createClock, installClock } from "./clock.ts";
import { structuredClone } from "./clone.ts";
import { installConsole } from "./console.ts";
import { DOMException } from "./dom-exception.ts";
import { TextDecoder, TextEncoder } from "./encoding.ts";
import { Event, EventTarget } from "./events.ts";
import { flatten } from "./flatten.ts";
import { fixBuffers, restrictGlobals } from "./harden.ts";
import { installUrl } from "./lazy-url.ts";
import { createMicrotasks } from "./microtasks.ts";
import { createOutbox } from "./outbox.ts";
import { installRandom } from "./random.ts";
import { installResults } from "./results.ts";
import { prepareStacks } from "./stacks.ts";
import { createState } from "./state.ts";
import { isOver } from "./text.ts";
import { createTimers, installTimers, type Timers } from "./timers.ts";
import { ToolError } from "./tool-error.ts";
import { createTools } from "./tools.ts";

type Begin = (headerJson: string) => void;
type Start = (main: () => unknown) => void;
type Step = (line: string) => void;
type Take = () => string;

const shared = {
  AbortController,
  AbortSignal,
  DOMException,
  Event,
  EventTarget,
  TextDecoder,
  TextEncoder,
  ToolError,
  atob,
  btoa,
  structuredClone,
} as const;

function unusableLine(code: UnusableCode, message: string, hint: string): string {
  const text = $.stringify($.slice(message, 0, bounds.messageChars));
  return `V {"name":"TypeError","message":${text},"code":"${code}","hint":"${hint}"}`;
}

/** The last guest line of a program that returned: `R`, `P` where the value is over `returnBytes`, or `V` where it cannot leave. */
function valueLine(value: unknown, limits: GuestHeader["limits"]): string {
  try {
    const json = toJson(value, { maxDepth: bounds.jsonDepth, maxChars: limits.transferBytes });
    return isOver(json, limits.returnBytes) ? previewLine(json, limits.returnBytes) : `R ${json}`;
  } catch (thrown) {
    const { kind, reason, message } = isJsonError(thrown) ? thrown : unreadable;
    return kind === "too_large"
      ? unusableLine(
          "return_too_large",
          `the return value ${reason}`,
          "return less: pick fields, filter, count, or cut",
        )
      : unusableLine(
          "return_not_json",
          `the return value is not JSON: ${message}`,
          "return plain data: objects, arrays, strings, numbers",
        );
  }
}

function previewLine(json: string, maxBytes: number): string {
  const shown = preview(json, maxBytes);
  let dropped = "";
  for (let i = 0; i < shown.dropped.length; i += 1) {
    const { path, kept, of } = shown.dropped[i] as Dropped;
    dropped += `${i === 0 ? "" : ","}{"path":${$.stringify(path)},"kept":${kept},"of":${of}}`;
  }
  const truncation = `{"bytes":${shown.bytes},"dropped":[${dropped}],"more":${shown.more}}`;
  return `P${truncation.length},${shown.json.length} ${truncation}${shown.json}${json}`;
}

const unreadable = { kind: "not_json", reason: "cannot be read", message: "$ cannot be read" } as const;

/** The last guest line of a program that threw. */
function errorLine(thrown: unknown): string {
  try {
    return `E ${flatten(thrown, ToolError.prototype)}`;
  } catch {
    return 'E {"name":"Error","message":"an error that cannot be read"}';
  }
}

/** Prepares the isolate; `urlSource` is the bundle of ./url.ts. The four functions are all that the sandbox process holds. */
export function boot(urlSource: string): readonly [Begin, Start, Step, Take] {
  const root: object = globalThis;
  const outbox = createOutbox();
  const clock = createClock();
  const budget = { bytes: 0 };

  restrictGlobals(root);
  fixBuffers(root);
  prepareStacks();
  installClock(root, clock);
  const microtasks = createMicrotasks();
  const random = installRandom(root);
  installConsole(root, outbox, clock, budget);
  const names = $.keys(shared) as (keyof typeof shared)[];
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i];
    if (name !== undefined) $.define(root, name, shared[name]);
  }
  installAbsent(root);
  installUrl(root, urlSource);

  let calls: Calls;
  let timers: Timers;
  let limits: GuestHeader["limits"];
  let applied = 0;
  let ended = "";
  let stateLine = "";
  let isReported = false;
  const state = createState(root);

  installTimers(root, () => timers, microtasks, outbox);
  installSignalTimeout((run, ms) => timers.start(AbortSignal.abort, run, ms, false, []));

  function begin(headerJson: string): void {
    const header = $.parse(headerJson) as GuestHeader;
    clock.advance(header.now);
    random.seed(header.seed);
    limits = header.limits;
    budget.bytes = limits.consoleBytes;
    calls = createCalls(outbox, limits);
    timers = createTimers(outbox, microtasks, limits.timers);
    $.define(root, "tools", createTools(header.tools, calls));
    installResults(root, calls, header.tools.length);
    state.begin(header.state, limits.stateBytes);
  }

  function start(main: () => unknown): void {
    microtasks.run(
      main,
      (reason) => {
        ended = errorLine(reason);
        stateLine = state.line();
      },
      (value) => {
        ended = valueLine(value, limits);
        stateLine = state.line();
      },
    );
  }

  /** Settlements are `<seq> ok|err <now> <json>` and `<seq> fire <now>`. */
  function step(line: string): void {
    if (ended !== "") return;
    outbox.seal();
    applied += 1;
    const kindAt = $.indexOf(line, " ") + 1;
    const nowAt = $.indexOf(line, " ", kindAt) + 1;
    const textAt = $.indexOf(line, " ", nowAt) + 1;
    const seq = $.toNumber($.slice(line, 0, kindAt - 1));
    const kind = $.slice(line, kindAt, nowAt - 1);
    clock.advance($.toNumber(textAt === 0 ? $.slice(line, nowAt) : $.slice(line, nowAt, textAt - 1)));
    if (kind === "fire") timers.fire(seq);
    else calls.settle(seq, kind === "ok", $.slice(line, textAt));
  }

  function take(): string {
    const head = applied > 0 ? `S${applied}` : "";
    applied = 0;
    if (ended !== "" && !isReported) {
      isReported = true;
      calls.report();
      if (stateLine !== "") outbox.add(stateLine);
      outbox.add(ended);
    }
    return outbox.drain(head);
  }

  return [begin, start, step, take];
}
