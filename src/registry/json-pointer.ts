/** The keys of a JSON pointer such as `/a~1b/0`. */
export const pointerKeys = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** A key as it stands in a JSON pointer. */
export const pointerKey = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The pointer or anchor in the fragment of a reference; one that is not encoded well is taken as it is. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The keys of a JSON pointer, as numbers where the value has an array there. */
export function readPointer(pointer: string, root: unknown): readonly (string | number)[] {
  let at = root;
  return pointerKeys(pointer).map((key) => {
    const inArray = Array.isArray(at);
    at = childOf(at, key);
    return inArray ? Number(key) : key;
  });
}

export function childOf(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<PropertyKey, unknown>>)[key];
}
