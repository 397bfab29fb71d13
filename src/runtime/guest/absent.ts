import * as $ from "../../primordials.ts";
import { unavailable, unavailableMessage } from "../../program-globals.ts";
import { faultBelow } from "./stacks.ts";

/** Puts a thrower where models reach for what is not there; `typeof` of it stays harmless. */
export function installAbsent(root: object): void {
  for (let i = 0; i < unavailable.length; i += 1) {
    const entry = unavailable[i];
    if (entry === undefined) continue;
    const message = unavailableMessage(entry);
    const refuse = function refuse(): never {
      throw faultBelow(refuse, ReferenceError, message);
    };
    $.define(refuse, "name", entry.name);
    const handler = {
      __proto__: null,
      get: refuse,
      set: refuse,
      has: refuse,
      ownKeys: refuse,
      construct: refuse,
      apply: refuse,
    };
    $.define(
      root,
      entry.name,
      entry.kind === "function" ? refuse : new Proxy(entry.name === "Buffer" ? refuse : {}, handler),
    );
  }
}
