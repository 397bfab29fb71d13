/** Where the host's own log goes; nothing here reaches a program or a model. */
export interface Logger {
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
  /** What went as it should: the tools that a turn binds, and what it used. */
  info?(message: string): void;
}

/** Drops everything; a host that wants the log passes its own. */
export const silent: Logger = { warn: () => undefined, error: () => undefined };

/** The same log, whose own failures reach nobody. */
export function guarded(logger: Logger): Logger {
  const safely =
    (level: "warn" | "error"): Logger["warn"] =>
    (message, data) => {
      try {
        // A second argument that is undefined would be printed.
        if (data === undefined) logger[level](message);
        else logger[level](message, data);
      } catch {
        // a log that fails has nowhere to say so
      }
    };
  return {
    warn: safely("warn"),
    error: safely("error"),
    info(message) {
      try {
        logger.info?.(message);
      } catch {
        // as above
      }
    },
  };
}
