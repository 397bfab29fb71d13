import type { RecordEntry } from "codecall";

/** One line a call: tool and input, what it came to, how long it took, how much it gave, and how often it was tried again. */
export function traceOf(record: readonly RecordEntry[]): string {
  return record.map((entry) => lineOf(entry)).join("\n");
}

function lineOf({ tool, args, status, effect, failure, ranMs, resultBytes, truncated, attempts }: RecordEntry): string {
  const what = `${tool} ${short(JSON.stringify(args))}`;
  const came = failure === undefined ? `${status}, effect ${effect}` : `${status}: ${failure.message}`;
  const size = `${resultBytes} bytes${truncated ? " (too large)" : ""}`;
  const retries = attempts > 1 ? `, retries ${attempts - 1}` : "";
  return `${what}: ${came}; ${ranMs.toFixed(1)} ms, ${size}${retries}`;
}

const shownChars = 60;
const short = (text: string): string => (text.length > shownChars ? `${text.slice(0, shownChars)}…` : text);
