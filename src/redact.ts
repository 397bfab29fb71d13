// Secrets that the host marks: their text is replaced wherever something is told, also as JSON writes it. What runs and what the
// journal holds is left as it is.
import { Fault } from "./errors.ts";
import { isObject } from "./is-object.ts";
import type { Logger } from "./log.ts";
import { describe } from "./options.ts";

/** The secrets themselves, or a function that gives those of the moment. */
export type Secrets = readonly string[] | (() => readonly string[]);

export interface Redactor {
  text(text: string): string;
  /** The same value where nothing in it is secret; else a copy, of objects by their own fields. */
  value<T>(value: T): T;
}

export const redacted = "[redacted]";

const fewestChars = 4;

/** Throws `invalid_options` for what is no list of secrets; a shorter text than 4 characters would be found everywhere. */
export function createRedactor(secrets: Secrets | undefined): Redactor | undefined {
  if (secrets === undefined) return undefined;
  if (typeof secrets !== "function") {
    if (!Array.isArray(secrets)) {
      throw new Fault("invalid_options", `secrets must be a list of texts or a function, got ${describe(secrets)}`);
    }
    checkSecrets(secrets);
  }
  let known: readonly string[] | undefined;
  let needles: readonly string[] = [];

  function now(): readonly string[] {
    const list = typeof secrets === "function" ? askFor(secrets) : secrets;
    if (list !== undefined && list !== known) {
      known = list;
      needles = needlesOf(list);
    }
    return needles;
  }

  const replace = (text: string, list: readonly string[]): string =>
    list.reduce((left, needle) => (left.includes(needle) ? left.replaceAll(needle, redacted) : left), text);

  function walk(value: unknown, list: readonly string[], seen: Set<object>): unknown {
    if (typeof value === "string") return replace(value, list);
    if (typeof value !== "object" || value === null || seen.has(value)) return value;
    seen.add(value);
    try {
      if (value instanceof Error) return walkError(value, list, seen);
      if (Array.isArray(value)) {
        const items = value.map((item) => walk(item, list, seen));
        return items.some((item, index) => item !== value[index]) ? Object.freeze(items) : value;
      }
      if (!isPlain(value)) return value;
      return walkFields(value, list, seen);
    } finally {
      seen.delete(value);
    }
  }

  function walkFields(value: object, list: readonly string[], seen: Set<object>): unknown {
    let isSame = true;
    const fields = Object.entries(value as Readonly<Record<string, unknown>>).map(([key, field]) => {
      const told = [replace(key, list), walk(field, list, seen)] as const;
      isSame &&= told[0] === key && told[1] === field;
      return told;
    });
    return isSame ? value : Object.freeze(Object.fromEntries(fields));
  }

  function walkError(error: Error, list: readonly string[], seen: Set<object>): unknown {
    const { name, message, stack, cause } = error;
    const told = { message: replace(message, list), stack: stack === undefined ? undefined : replace(stack, list) };
    const under = walk(cause, list, seen);
    if (told.message === message && told.stack === stack && under === cause) return error;
    const copy = new Error(told.message, under === undefined ? undefined : { cause: under });
    Object.defineProperty(copy, "name", { value: name, configurable: true });
    if (told.stack !== undefined) Object.defineProperty(copy, "stack", { value: told.stack, configurable: true });
    return copy;
  }

  return {
    text: (text) => replace(text, now()),
    value: <T>(value: T) => {
      const list = now();
      return (list.length === 0 ? value : walk(value, list, new Set())) as T;
    },
  };
}

/** `undefined` where it fails: those known before are still secret. */
function askFor(secrets: () => readonly string[]): readonly string[] | undefined {
  try {
    const list: unknown = secrets();
    return Array.isArray(list) ? list.filter((secret) => typeof secret === "string") : undefined;
  } catch {
    return undefined;
  }
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return isObject(value) && (prototype === Object.prototype || prototype === null);
};

function checkSecrets(secrets: readonly unknown[]): void {
  for (const [index, secret] of secrets.entries()) {
    if (typeof secret === "string" && secret.length >= fewestChars) continue;
    throw new Fault(
      "invalid_options",
      `secret ${index + 1} of createDeployment must be text of at least ${fewestChars} characters`,
    );
  }
}

/** Longer ones first: one may hold another. What a function gives that is too short is left out. */
function needlesOf(list: readonly string[]): readonly string[] {
  const usable = list.filter((secret) => typeof secret === "string" && secret.length >= fewestChars);
  const all = new Set(usable.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  return [...all].toSorted((a, b) => b.length - a.length);
}

/** The same log without secrets. */
export function redactedLogger(logger: Logger, redactor: Redactor | undefined): Logger {
  if (redactor === undefined) return logger;
  return {
    warn: (message, data) => logger.warn(redactor.text(message), redactor.value(data)),
    error: (message, data) => logger.error(redactor.text(message), redactor.value(data)),
    info: (message) => logger.info?.(redactor.text(message)),
  };
}
