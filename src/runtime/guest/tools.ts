// `tools`: offered names and aliases give a function each, whatever the program does to prototypes. A name that was not
// offered gives a function too: its call is refused by the host, which knows the nearest names.
import * as $ from "../../primordials.ts";
import type { GuestTool } from "../protocol.ts";
import type { Calls, Target } from "./calls.ts";
import { captureSite, faultBelow } from "./stacks.ts";

type Stub = (...given: unknown[]) => Promise<unknown>;

/** Keys that the language and libraries look up on anything: no tool call is meant by them. */
const probes: readonly string[] = [
  "then",
  "catch",
  "finally",
  "toJSON",
  "constructor",
  "prototype",
  "toString",
  "toLocaleString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "__proto__",
];

const maxNameChars = 200;

function isProbe(name: string): boolean {
  for (let i = 0; i < probes.length; i += 1) if (probes[i] === name) return true;
  return false;
}

export function createTools(offered: readonly GuestTool[], calls: Calls): object {
  const byName = new $.NativeMap<string, Target>();
  for (let i = 0; i < offered.length; i += 1) {
    const tool = offered[i];
    if (tool === undefined) continue;
    const target = { index: i, name: tool.name, shown: tool.alias ?? tool.name };
    $.mapSet(byName, tool.name, target);
    if (tool.alias !== undefined && $.mapGet(byName, tool.alias) === undefined) $.mapSet(byName, tool.alias, target);
  }
  const stubs = new $.NativeMap<string, Stub>();

  function stubOf(target: Target): Stub {
    const stub: Stub = (...given) => calls.call(target, given, captureSite());
    $.define(stub, "name", target.name);
    return stub;
  }

  function get(key: string | symbol): Stub | undefined {
    if (typeof key !== "string") return undefined;
    const known = $.mapGet(stubs, key);
    if (known !== undefined) return known;
    const target = $.mapGet(byName, key);
    if (target !== undefined) {
      const stub = stubOf(target);
      $.mapSet(stubs, key, stub);
      return stub;
    }
    if (isProbe(key)) return undefined;
    const name = $.slice(key, 0, maxNameChars);
    return stubOf({ index: undefined, name, shown: name });
  }

  const has = (key: string | symbol): boolean => typeof key === "string" && $.mapGet(byName, key) !== undefined;
  const refuse = function refuse(): never {
    throw faultBelow(
      refuse,
      $.NativeTypeError,
      "tools cannot be changed: it holds the tools that this program was given",
    );
  };
  const handler = {
    __proto__: null,
    get: (_target: object, key: string | symbol) => get(key),
    has: (_target: object, key: string | symbol) => has(key),
    ownKeys: () => {
      const names: string[] = [];
      for (let i = 0; i < offered.length; i += 1) $.define(names, i, offered[i]?.name, true);
      return names;
    },
    getOwnPropertyDescriptor: (_target: object, key: string | symbol) =>
      has(key)
        ? { __proto__: null, value: get(key), enumerable: isListed(key), writable: false, configurable: true }
        : undefined,
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    setPrototypeOf: refuse,
    preventExtensions: refuse,
  };
  // An alias is callable and found by `in`, but listed under the name it stands for.
  const isListed = (key: string | symbol): boolean => typeof key === "string" && $.mapGet(byName, key)?.name === key;
  const target: object = $.setPrototypeOf({}, null);
  return new Proxy(target, handler);
}
