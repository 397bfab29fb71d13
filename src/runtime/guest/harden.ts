import * as $ from "../../primordials.ts";
import { engineGlobals } from "../../program-globals.ts";

/** Deletes every global that is not on the list; the bootstrap does not start where one cannot be deleted. */
export function restrictGlobals(root: object): void {
  const names = $.ownKeys(root);
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] as string | symbol;
    if (typeof name === "string" && engineGlobals.includes(name)) continue;
    if (!$.deleteProperty(root, name)) throw new $.NativeError(`the global ${$.toText(name)} cannot be removed`);
  }
}

/** Leaves only buffers of a fixed length: the others grow past the memory limit of an isolate. */
export function fixBuffers(root: object): void {
  const NativeBuffer = ArrayBuffer;
  const prototype = NativeBuffer.prototype;
  const GuestBuffer = function ArrayBuffer(length: unknown): unknown {
    if (new.target === undefined) throw new $.NativeTypeError("Constructor ArrayBuffer requires 'new'");
    return $.construct(NativeBuffer, [length], new.target);
  };
  $.define(GuestBuffer, "name", "ArrayBuffer");
  $.define(GuestBuffer, "prototype", prototype, false, false);
  $.define(GuestBuffer, "isView", NativeBuffer.isView);
  const species = {
    get [Symbol.species](): unknown {
      return this;
    },
  };
  const descriptor = $.getOwnPropertyDescriptor(species, Symbol.species);
  if (descriptor !== undefined) $.defineProperty(GuestBuffer, Symbol.species, { ...descriptor, enumerable: false });
  $.define(prototype, "constructor", GuestBuffer);
  for (const name of ["resize", "transfer", "transferToFixedLength", "maxByteLength", "resizable"])
    $.deleteProperty(prototype, name);
  $.define(root, "ArrayBuffer", GuestBuffer);
}
