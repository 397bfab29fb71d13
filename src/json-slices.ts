// The host's way of writing a value of any size as JSON: the same walk, the same text and the same errors as `toJson`,
// in portions. What is copied whole is written natively; what the walk left open is written bit by bit from there on.
import { JsonError } from "./json-error.ts";
import {
  charsOfItem,
  copyNext,
  copyValue,
  createWalk,
  type Fields,
  type JsonBounds,
  type Open,
  type Share,
  takeOpen,
  type Walk,
  writeCopy,
} from "./json-walk.ts";
import { checkLength } from "./json.ts";
import { laterTurn, spendSteps, stepsLeft } from "./turns.ts";

const shareOfTurn: Share = { items: 40_000, containerItems: 1_024, textChars: 65_536 };
const stepsOfItem = 2;
/** Copies that are written in one go. */
const batchItems = 512;

/** Items that are copied however little the turn still has. */
const fewestItems = 100;

const portionOf = ({ items }: Share): number =>
  Math.min(items, Math.max(fewestItems, Math.floor(stepsLeft() / stepsOfItem)));

/** JSON text as of `toJson`: at once where the value is small, else a share of it in each of several turns of the event loop. */
export function toJsonInSlices(
  value: unknown,
  bounds: JsonBounds,
  share: Share = shareOfTurn,
): string | Promise<string> {
  const items = portionOf(share);
  const walk = createWalk(bounds, { ...share, items });
  const copy = copyValue(walk, value);
  const open = takeOpen(walk);
  const writer = open.length === 0 ? undefined : createWriter(walk, open, bounds, share);
  const isDone = writer?.advance() ?? true;
  spendSteps((items - walk.left) * stepsOfItem);
  if (writer === undefined) return checkLength(copy === undefined ? "null" : writeCopy(walk, copy), bounds);
  return isDone ? writer.text() : finish(walk, writer, share);
}

async function finish(walk: Walk, writer: Writer, share: Share): Promise<string> {
  let isDone = false;
  while (!isDone) {
    await laterTurn();
    const items = portionOf(share);
    walk.left = items;
    isDone = writer.advance();
    spendSteps((items - walk.left) * stepsOfItem);
  }
  return writer.text();
}

interface Writer {
  /** Writes on until the walk's share is used up; true once all is written. */
  advance(): boolean;
  text(): string;
}

/** Something open, with the copies that wait to be written. */
interface Level {
  readonly open: Open;
  hasItems: boolean;
  batch: unknown[];
}

function createWriter(walk: Walk, first: readonly Open[], { maxChars }: JsonBounds, share: Share): Writer {
  const pieces: string[] = [];
  const levels: Level[] = [];
  let length = 0;

  function put(text: string): void {
    pieces.push(text);
    length += text.length;
    if (length > maxChars) throw new JsonError("$", `is over ${maxChars} characters of JSON`, "too_large");
  }

  function flush(level: Level): void {
    const { batch, open } = level;
    if (batch.length === 0) return;
    const text = open.names === undefined ? writeCopy(walk, batch).slice(1, -1) : batch.join(",");
    put(level.hasItems ? `,${text}` : text);
    level.hasItems = true;
    level.batch = [];
  }

  function add(level: Level, key: string | number, copy: unknown): void {
    if (typeof key === "number") level.batch.push(copy === undefined ? null : copy);
    else if (copy !== undefined) level.batch.push(`${JSON.stringify(key)}:${writeCopy(walk, copy)}`);
    if (level.batch.length >= batchItems) flush(level);
  }

  /** What stands before an item that is itself open. */
  function lead(level: Level, key: string | number): void {
    flush(level);
    put(`${level.hasItems ? "," : ""}${typeof key === "number" ? "" : `${JSON.stringify(key)}:`}`);
    level.hasItems = true;
  }

  /** Enters what the walk left open, from the outermost in, and writes what it has copied of each. */
  function enter(opened: readonly Open[]): void {
    const [innermost] = opened;
    for (const open of opened.toReversed()) {
      const level: Level = { open, hasItems: false, batch: [] };
      levels.push(level);
      put(open.text === undefined ? (open.names === undefined ? "[" : "{") : '"');
      const isInnermost = open === innermost;
      const whole = isInnermost ? open.at : open.at - 1;
      const keyOf = (at: number): string | number => open.names?.[at] ?? at;
      for (let at = 0; at < whole && open.text === undefined; at += 1) {
        const key = keyOf(at);
        if (Object.hasOwn(open.out as Fields, key)) add(level, key, (open.out as Fields)[key]);
      }
      if (!isInnermost) lead(level, keyOf(whole));
    }
  }

  /** The next part of a long text, cut between characters. */
  function writeText(open: Open, text: string): void {
    let end = Math.min(text.length, open.at + share.textChars);
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] as string)) end += 1;
    put(writeCopy(walk, text.slice(open.at, end)).slice(1, -1));
    walk.left -= (end - open.at) / charsOfItem;
    open.at = end;
  }

  function close(level: Level): void {
    flush(level);
    const { names, text } = level.open;
    put(text === undefined ? (names === undefined ? "]" : "}") : '"');
    levels.pop();
  }

  function step(level: Level): void {
    const { open } = level;
    if (open.at >= open.length) return close(level);
    if (open.text !== undefined) return writeText(open, open.text);
    const copy = copyNext(walk, open);
    const key = open.frame.key;
    const inner = takeOpen(walk);
    if (inner.length === 0) return add(level, key, copy);
    lead(level, key);
    return enter(inner);
  }

  enter(first);
  return {
    advance() {
      for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
        if (walk.left <= 0) return false;
        step(level);
      }
      return true;
    },
    text: () => pieces.join(""),
  };
}
