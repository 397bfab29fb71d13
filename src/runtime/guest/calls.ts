// One tool call: its line out, its promise, and its settlement. A refusal that the guest can see by itself still becomes a
// line, so that the record has its entry.
import { isJsonError, toJson } from "../../json.ts";
import { bounds } from "../../limits.ts";
import { parseText } from "../../json-parse.ts";
import * as $ from "../../primordials.ts";
import type { CallError, GuestHeader } from "../protocol.ts";
import type { Outbox } from "./outbox.ts";
import { siteText } from "./stacks.ts";
import { isOver } from "./text.ts";
import { callFailure } from "./tool-error.ts";

/** What a call names: an offered tool by its number, or a name that was not offered. */
export interface Target {
  readonly index: number | undefined;
  readonly name: string;
  /** The name by which a program best writes the call: an alias where there is one. */
  readonly shown: string;
  /** How a program writes it, where it is no tool. */
  readonly accessor?: string;
}

interface Pending {
  readonly target: Target;
  readonly site: Error;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export interface Calls {
  call(target: Target, given: readonly unknown[], site: Error): Promise<unknown>;
  /** Settles a pending call; one that is not pending is ignored. */
  settle(seq: number, ok: boolean, json: string): void;
  /** A `U` line for each call that is still pending. */
  report(): void;
}

type Refusal = readonly [code: string, message: string];

const identifier = /^[A-Za-z_$][\w$]*$/;

/** How a program writes the tool, e.g. `tools.search`. */
function accessor({ shown, accessor: own }: Target): string {
  if (own !== undefined) return own;
  return $.matches(identifier, shown) === null ? `tools[${$.stringify(shown)}]` : `tools.${shown}`;
}

export function createCalls(outbox: Outbox, limits: GuestHeader["limits"]): Calls {
  const pending = new $.NativeMap<number, Pending>();
  const json = { maxDepth: bounds.jsonDepth, maxChars: limits.argumentBytes };
  let count = 0;

  function limitMessage(target: Target): Refusal {
    const made = limits.calls === 1 ? "1 call" : `${limits.calls} calls`;
    return ["calls_limit", `the program made its ${made}, which is its limit: ${accessor(target)} was not called`];
  }

  /** The JSON text of the arguments, or why there is none. */
  function encode(target: Target, given: readonly unknown[]): string | Refusal {
    const first = given[0];
    if (given.length > 1) {
      return [
        "arguments_not_object",
        `${accessor(target)} takes one object, got ${given.length} arguments: call it as ${accessor(target)}({ ... })`,
      ];
    }
    if (first === undefined) return "{}";
    try {
      const text = toJson(first, json);
      if (!isOver(text, limits.argumentBytes)) return text;
    } catch (thrown) {
      const kind = isJsonError(thrown) ? thrown.kind : "not_json";
      const reason = isJsonError(thrown) ? thrown.message : "$ cannot be read";
      if (kind === "not_json")
        return ["arguments_not_json", `the arguments of ${accessor(target)} are not JSON: ${reason}`];
    }
    return [
      "arguments_too_large",
      `the arguments of ${accessor(target)} are over ${limits.argumentBytes} bytes of JSON: pass less, or in parts`,
    ];
  }

  function write(seq: number, target: Target, encoded: string | Refusal): void {
    if (target.index === undefined) {
      const args = typeof encoded === "string" ? encoded : "null";
      outbox.add(`N${seq} {"name":${$.stringify(target.name)},"args":${$.stringify(args)}}`);
    } else if (typeof encoded === "string") {
      outbox.add(`C${seq} ${target.index} ${encoded}`);
    } else {
      const message = $.stringify($.slice(encoded[1], 0, bounds.messageChars));
      outbox.add(`X${seq} ${target.index} {"code":${$.stringify(encoded[0])},"message":${message}}`);
    }
  }

  return {
    call(target, given, site) {
      count += 1;
      if (count > limits.calls + 1) {
        const refusal = limitMessage(target);
        const error = { code: refusal[0], message: refusal[1], status: "refused", effect: "none", tool: target.name };
        return new $.NativePromise((_resolve, reject) => reject(callFailure(error, site, bounds.stackChars)));
      }
      const encoded = count > limits.calls ? limitMessage(target) : encode(target, given);
      const seq = outbox.next();
      return new $.NativePromise((resolve, reject) => {
        $.mapSet(pending, seq, { target, site, resolve, reject });
        write(seq, target, encoded);
      });
    },
    settle(seq, ok, text) {
      const waiting = $.mapGet(pending, seq);
      if (waiting === undefined) return;
      $.mapDelete(pending, seq);
      const value: unknown = parseText(text);
      if (ok) waiting.resolve(value);
      else waiting.reject(callFailure(value as CallError, waiting.site, bounds.stackChars));
    },
    report() {
      $.mapForEach(pending, (waiting, seq) => {
        outbox.add(`U${seq} ${$.stringify(siteText(waiting.site, bounds.stackChars))}`);
      });
    },
  };
}
