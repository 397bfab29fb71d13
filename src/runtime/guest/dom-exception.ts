import * as $ from "../../primordials.ts";
import { cutStack } from "./stacks.ts";

const legacyCodes: Readonly<Record<string, number>> = {
  InvalidCharacterError: 5,
  NotSupportedError: 9,
  InvalidStateError: 11,
  AbortError: 20,
  QuotaExceededError: 22,
  TimeoutError: 23,
  DataCloneError: 25,
};

/** The web's error with a name from its list, e.g. `AbortError`. */
export class DOMException extends Error {
  readonly code!: number;

  constructor(message = "", name = "Error") {
    super(message);
    cutStack(this, new.target);
    $.define(this, "name", $.toText(name));
    $.define(this, "code", $.hasOwn(legacyCodes, name) ? legacyCodes[name] : 0);
  }
}
