// Built-ins captured when this module loads, before a program can replace them. Code that a program must not be able to
// mislead calls these and no method of a value; it also avoids iteration, spread, destructuring of arrays and `await`,
// which all look methods up on prototypes.

/** Turns a method into a function of its receiver: `uncurry(Map.prototype.get)(map, key)`. */
export const uncurry: <T, A extends unknown[], R>(method: (this: T, ...args: A) => R) => (self: T, ...args: A) => R =
  Function.prototype.bind.bind(Function.prototype.call);

export const apply: typeof Reflect.apply = Reflect.apply;
export const construct: typeof Reflect.construct = Reflect.construct;
export const defineProperty: typeof Reflect.defineProperty = Reflect.defineProperty;
export const deleteProperty: typeof Reflect.deleteProperty = Reflect.deleteProperty;
export const getOwnPropertyDescriptor: typeof Reflect.getOwnPropertyDescriptor = Reflect.getOwnPropertyDescriptor;
export const setProperty: typeof Reflect.set = Reflect.set;
export const getProperty: (object: object, key: PropertyKey) => unknown = Reflect.get;
export const getPrototypeOf: typeof Reflect.getPrototypeOf = Reflect.getPrototypeOf;
export const ownKeys: typeof Reflect.ownKeys = Reflect.ownKeys;
export const freeze: typeof Object.freeze = Object.freeze;
export const values: (object: object) => unknown[] = Object.values;
export const keys: typeof Object.keys = Object.keys;
export const setPrototypeOf: <T extends object>(object: T, prototype: object | null) => T = Object.setPrototypeOf;
export const isArray: typeof Array.isArray = Array.isArray;
export const isView: typeof ArrayBuffer.isView = ArrayBuffer.isView;
export const parse: typeof JSON.parse = JSON.parse;
export const stringify: typeof JSON.stringify = JSON.stringify;
export const floor: typeof Math.floor = Math.floor;
export const max: typeof Math.max = Math.max;
export const min: typeof Math.min = Math.min;
export const isInteger: typeof Number.isInteger = Number.isInteger;
export const fromCharCode: typeof String.fromCharCode = String.fromCharCode;
export const objectPrototype: object = Object.prototype;
export const arrayPrototype: object = Array.prototype;

export const NativeError: ErrorConstructor = Error;
export const NativeTypeError: TypeErrorConstructor = TypeError;
export const NativeRangeError: RangeErrorConstructor = RangeError;
export const NativePromise: PromiseConstructor = Promise;
export const NativeMap: MapConstructor = Map;
export const NativeWeakMap: WeakMapConstructor = WeakMap;
export const NativeUint8Array: Uint8ArrayConstructor = Uint8Array;
export const toText: (value: unknown) => string = String;
export const toNumber: (value: unknown) => number = Number;

export const hasOwn: (object: object, key: PropertyKey) => boolean = Object.hasOwn;
export const isPrototypeOf: (prototype: object, value: object) => boolean = uncurry(Object.prototype.isPrototypeOf);
export const bind: (method: (...args: never[]) => unknown, self: unknown, ...args: unknown[]) => () => unknown =
  uncurry(Function.prototype.bind);
export const functionText: (value: unknown) => string = uncurry(Function.prototype.toString);

/** Sorts in place; calls nothing of the array but its items. */
export const sort: <T>(list: T[], compare: (a: T, b: T) => number) => T[] = uncurry(Array.prototype.sort);

export const mapGet: <K, V>(map: Map<K, V>, key: K) => V | undefined = uncurry(Map.prototype.get);
export const mapSet: <K, V>(map: Map<K, V>, key: K, value: V) => Map<K, V> = uncurry(Map.prototype.set);
export const mapDelete: <K>(map: Map<K, unknown>, key: K) => boolean = uncurry(Map.prototype.delete);
export const mapForEach: <K, V>(map: Map<K, V>, visit: (value: V, key: K) => void) => void = uncurry(
  Map.prototype.forEach,
);
export const setForEach: <V>(set: Set<V>, visit: (value: V) => void) => void = uncurry(Set.prototype.forEach);
export const weakGet: <V>(map: WeakMap<object, V>, key: object) => V | undefined = uncurry(WeakMap.prototype.get);
export const weakSet: <V>(map: WeakMap<object, V>, key: object, value: V) => unknown = uncurry(WeakMap.prototype.set);
export const promiseThen: (
  promise: unknown,
  onValue?: (value: unknown) => unknown,
  onError?: (reason: unknown) => unknown,
) => object = uncurry(Promise.prototype.then);

export const slice: (text: string, from: number, to?: number) => string = uncurry(String.prototype.slice);
export const indexOf: (text: string, part: string, from?: number) => number = uncurry(String.prototype.indexOf);
export const charCodeAt: (text: string, at: number) => number = uncurry(String.prototype.charCodeAt);
export const toLowerCase: (text: string) => string = uncurry(String.prototype.toLowerCase);
export const trim: (text: string) => string = uncurry(String.prototype.trim);
export const matches: (pattern: RegExp, text: string) => unknown = uncurry(RegExp.prototype.exec);
export const regExpText: (value: unknown) => string = uncurry(RegExp.prototype.toString);
export const symbolText: (value: unknown) => string = uncurry(Symbol.prototype.toString);

/** Reads of internal slots: each throws unless its argument is of that kind, from whatever realm. */
export const dateTime: (value: unknown) => number = uncurry(Date.prototype.getTime);
export const dateIso: (value: unknown) => string = uncurry(Date.prototype.toISOString);
export const numberValue: (value: unknown) => number = uncurry(Number.prototype.valueOf);
export const stringValue: (value: unknown) => string = uncurry(String.prototype.valueOf);
export const booleanValue: (value: unknown) => boolean = uncurry(Boolean.prototype.valueOf);
export const bigintValue: (value: unknown) => bigint = uncurry(BigInt.prototype.valueOf);

function getter(prototype: object, key: PropertyKey): (value: unknown) => never {
  const get = getOwnPropertyDescriptor(prototype, key)?.get;
  if (get === undefined) throw new TypeError(`no getter ${toText(key)}`);
  return uncurry(get as (this: unknown) => never);
}

const typedArrayPrototype: object = getPrototypeOf(Uint8Array.prototype) ?? Uint8Array.prototype;
export const mapSize: (value: unknown) => number = getter(Map.prototype, "size");
export const setSize: (value: unknown) => number = getter(Set.prototype, "size");
export const bufferBytes: (value: unknown) => number = getter(ArrayBuffer.prototype, "byteLength");
export const viewBytes: (value: unknown) => number = getter(DataView.prototype, "byteLength");
export const viewOffset: (value: unknown) => number = getter(DataView.prototype, "byteOffset");
export const viewBuffer: (value: unknown) => ArrayBuffer = getter(DataView.prototype, "buffer");
export const typedLength: (value: unknown) => number = getter(typedArrayPrototype, "length");
export const typedBytes: (value: unknown) => number = getter(typedArrayPrototype, "byteLength");
export const typedOffset: (value: unknown) => number = getter(typedArrayPrototype, "byteOffset");
export const typedBuffer: (value: unknown) => ArrayBuffer = getter(typedArrayPrototype, "buffer");
/** The kind of a typed array, `undefined` for anything else; never throws. */
export const typedName: (value: unknown) => string | undefined = getter(typedArrayPrototype, Symbol.toStringTag);

const nativeIsError: unknown = getProperty(Error, "isError");

/** True for errors of any realm where the engine can tell, else for those of this one. */
export const isError: (value: object) => value is Error = (value): value is Error =>
  typeof nativeIsError === "function"
    ? apply(nativeIsError as () => unknown, undefined, [value]) === true
    : isPrototypeOf(Error.prototype, value);

/** Whether a read of an internal slot succeeds: whether the value is of that kind. */
export function is(read: (value: unknown) => unknown, value: unknown): boolean {
  try {
    read(value);
    return true;
  } catch {
    return false;
  }
}

/** An own data property, whatever setters prototypes have. */
export function define(object: object, key: PropertyKey, value: unknown, enumerable = false, writable = true): void {
  const descriptor = { __proto__: null, value, enumerable, writable, configurable: writable };
  defineProperty(object, key, descriptor);
}

/** The name of the nearest constructor on a prototype chain, at most 60 characters. */
export function constructorName(prototype: object | null): string | undefined {
  for (let at = prototype, hops = 0; at !== null && hops < 100; at = getPrototypeOf(at), hops += 1) {
    const made: unknown = getOwnPropertyDescriptor(at, "constructor")?.value;
    const name: unknown = typeof made === "function" ? getOwnPropertyDescriptor(made, "name")?.value : undefined;
    if (typeof name === "string" && name !== "") return slice(name, 0, 60);
  }
  return undefined;
}
