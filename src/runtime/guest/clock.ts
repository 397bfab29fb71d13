// A program's time is the time of its last settlement: it stands still while the program computes and never runs backwards,
// wherever the engine would have read the real clock.
import * as $ from "../../primordials.ts";

export interface Clock {
  /** ms since 1970. */
  now(): number;
  advance(to: number): void;
}

type DateArgument = number | Date | undefined;

export function createClock(): Clock {
  let time = 0;
  return {
    now: () => time,
    advance(to) {
      if (to > time) time = to;
    },
  };
}

/** Puts the clock where the engine has the real one. */
export function installClock(root: object, clock: Clock): void {
  const NativeDate = Date;
  const dateText = $.uncurry(Date.prototype.toString);
  const now = (): number => $.floor(clock.now());

  const GuestDate = function Date(...args: unknown[]): unknown {
    if (new.target === undefined) return dateText(new NativeDate(now()));
    return $.construct(NativeDate, args.length === 0 ? [now()] : args, new.target);
  };
  $.define(GuestDate, "name", "Date");
  $.define(GuestDate, "length", 7);
  $.define(GuestDate, "prototype", NativeDate.prototype, false, false);
  $.define(GuestDate, "UTC", NativeDate.UTC);
  $.define(GuestDate, "parse", NativeDate.parse);
  $.define(GuestDate, "now", { now }.now);
  $.define(NativeDate.prototype, "constructor", GuestDate);
  $.deleteProperty(NativeDate.prototype, "toTemporalInstant");
  $.define(root, "Date", GuestDate);

  installFormats(now);

  const start = { at: -1 };
  const origin = (): number => {
    if (start.at < 0) start.at = clock.now();
    return start.at;
  };
  const performance = {};
  $.define(performance, "now", { now: () => clock.now() - origin() }.now);
  $.defineProperty(performance, "timeOrigin", { get: origin, enumerable: true, configurable: true });
  $.define(root, "performance", performance);
}

function installFormats(now: () => number): void {
  const prototype = Intl.DateTimeFormat.prototype;
  const nativeFormat = $.getOwnPropertyDescriptor(prototype, "format")?.get;
  const nativeParts = $.uncurry(prototype.formatToParts);
  if (nativeFormat === undefined) throw new $.NativeTypeError("Intl.DateTimeFormat has no format");
  const formats = new $.NativeWeakMap<object, unknown>();
  function format(this: object): unknown {
    const known = $.weakGet(formats, this);
    if (known !== undefined) return known;
    const bound = $.apply(nativeFormat as (this: object) => (date: DateArgument) => string, this, []);
    const made = { format: (date?: DateArgument) => bound(date === undefined ? now() : date) }.format;
    $.weakSet(formats, this, made);
    return made;
  }
  $.defineProperty(prototype, "format", { get: format, enumerable: false, configurable: true });
  function formatToParts(this: Intl.DateTimeFormat, date?: DateArgument): unknown {
    return nativeParts(this, date === undefined ? now() : date);
  }
  $.define(prototype, "formatToParts", formatToParts);
}
