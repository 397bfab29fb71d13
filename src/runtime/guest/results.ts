// `results` and `show`: calls of what codecall provides, by the numbers behind those of the tools.
import * as $ from "../../primordials.ts";
import { type ProvidedName, providedFunctions } from "../../program-globals.ts";
import type { Calls, Target } from "./calls.ts";
import { captureSite } from "./stacks.ts";

type Stub = (ref?: unknown, options?: unknown) => Promise<unknown>;

/** A reference is as good as its `ref`. */
function refOf(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  return $.getProperty(given, "ref") ?? given;
}

function argumentsOf(ref: unknown, options: unknown): object {
  const args = {};
  if (typeof options === "object" && options !== null) {
    const names = $.keys(options);
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i] as string;
      $.define(args, name, $.getProperty(options, name), true);
    }
  } else if (options !== undefined) $.define(args, "options", options, true);
  $.define(args, "ref", refOf(ref), true);
  return args;
}

/** Defines both on the global object; `tools` is the number of tools. */
export function installResults(root: object, calls: Calls, tools: number): void {
  function stubOf(name: ProvidedName, shown: string): Stub {
    let index = tools;
    for (let i = 0; i < providedFunctions.length; i += 1) if (providedFunctions[i] === name) index = tools + i;
    const target: Target = { index, name, shown: name, accessor: name };
    const stub: Stub = (ref, options) => calls.call(target, [argumentsOf(ref, options)], captureSite());
    $.define(stub, "name", shown);
    return stub;
  }
  const results = {};
  $.define(results, "get", stubOf("results.get", "get"), true);
  $.define(root, "results", results);
  $.define(root, "show", stubOf("show", "show"));
}
