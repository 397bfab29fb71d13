// `state`: an object that the next program of the session finds as this one left it. It is taken when the program has come to
// its end, by the same walk as everything that leaves.
import { isJsonError, toJson } from "../../json.ts";
import { bounds } from "../../limits.ts";
import { parseText } from "../../json-parse.ts";
import * as $ from "../../primordials.ts";
import { isOver } from "./text.ts";

export interface State {
  /** Gives the program what the session has, JSON text of an object. */
  begin(json: string, maxBytes: number): void;
  /** The guest line at the program's end: `M` where it changed, `W` where it cannot be kept, else nothing. */
  line(): string;
}

const kept = "what it was before is kept";

export function createState(root: object): State {
  let before = "{}";
  let most = 0;

  function take(): { readonly json: string } | { readonly problem: string } {
    const value: unknown = $.getOwnPropertyDescriptor(root, "state")?.value;
    try {
      const json = toJson(value, { maxDepth: bounds.jsonDepth, maxChars: most });
      if (json[0] !== "{") return { problem: "is no object any more" };
      return isOver(json, most) ? tooLarge() : { json };
    } catch (thrown) {
      if (!isJsonError(thrown)) return { problem: "cannot be read" };
      return thrown.kind === "too_large" ? tooLarge() : { problem: `is not JSON: ${thrown.message}` };
    }
  }

  const tooLarge = (): { readonly problem: string } => ({ problem: `is over ${most} bytes of JSON` });

  return {
    begin(json, maxBytes) {
      before = json;
      most = maxBytes;
      $.define(root, "state", parseText(json));
    },
    line() {
      const taken = take();
      if ("problem" in taken)
        return `W ${$.stringify($.slice(`\`state\` ${taken.problem}; ${kept}`, 0, bounds.messageChars))}`;
      return taken.json === before ? "" : `M ${taken.json}`;
    },
  };
}
