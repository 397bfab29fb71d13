import { Fault } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Aspect, Layer } from "./layer.ts";
import type { Warning } from "./warning.ts";

/** What may change the layer of one scope. */
export interface Registrar {
  readonly layer: Layer;
  /** Throws `scope_disposed`, saying what cannot be had, where the scope is gone. */
  readonly live: (what: string) => void;
  /** Applies a change and gives its reverse, which is run at most once. */
  readonly change: (aspect: Aspect, apply: () => void, revert: () => void) => Disposable;
  readonly warn: (warning: Warning) => void;
}

export function makeRegistrar(layer: Layer, logger: Logger, isOver: () => boolean): Registrar {
  return {
    layer,
    live(what) {
      if (isOver())
        throw new Fault("scope_disposed", `scope "${layer.name}" is disposed; ${what} needs one that is not`);
    },
    change(aspect, apply, revert) {
      apply();
      layer.versions[aspect]++;
      let over = false;
      return {
        [Symbol.dispose]() {
          if (over) return;
          over = true;
          revert();
          layer.versions[aspect]++;
        },
      };
    },
    warn: (warning) => warnOf(layer, warning, logger),
  };
}

/** Keeps a warning with the layer that it is about and logs it, once. */
export function warnOf(layer: Layer, warning: Warning, logger: Logger): void {
  if (layer.warnings.has(warning.message)) return;
  layer.warnings.set(warning.message, Object.freeze(warning));
  const { message, ...data } = warning;
  logger.warn(message, { scope: layer.path, ...data });
}
