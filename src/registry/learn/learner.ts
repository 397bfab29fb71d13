// What tools without an output schema were seen to give. Observing changes no surface that was made: each holds on to what
// was known when it was begun.
import { messageOf } from "../../errors.ts";
import { type JsonObject, parseJson } from "../../json.ts";
import { bounds } from "../../limits.ts";
import type { Logger } from "../../log.ts";
import type { Tool } from "../tool.ts";
import { asideOf, type Learned, putAside, readLearned, readLearnedNow, writeLearned } from "./learned-file.ts";
import { anything, countShapes, mergeShapes, type Shape, shapeOf } from "./shape.ts";
import { shownShape } from "./shown-shape.ts";

/** In memory alone, or kept in a file too. */
export type LearnOutputs = true | { readonly file: string };

/** What was known at one time: the schema of results that a tool gave, undefined where nothing is known. */
export type LearnedTypes = (tool: Identity) => JsonObject | undefined;

export interface Learner {
  /** Looks at the JSON of a result that a tool gave; never throws. */
  readonly observe: (tool: Pick<Tool, "source" | "originalName" | "output">, json: string) => void;
  /** What is known now; the same for as long as it is held. */
  now(): LearnedTypes;
  /** Writes down what is not yet; never rejects. */
  close(): Promise<void>;
}

type Identity = Pick<Tool, "source" | "originalName">;

export function createLearner(outputs: LearnOutputs, logger: Logger): Learner {
  const file = outputs === true ? undefined : outputs.file;
  const known = new Map<string, Learned>();
  let changes = 0;
  let kept = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> | undefined;

  if (file !== undefined) {
    const { learned, fault } = readLearnedNow(file);
    for (const one of learned) merge(one);
    if (fault !== undefined) {
      const aside = `what stands there is moved to ${asideOf(file)} before anything is written`;
      logger.warn(`learnOutputs: ${file} ${fault}; learning starts anew, and ${aside}`);
    }
  }

  /** Whether that was news. */
  function merge({ source, tool, result }: Learned): boolean {
    const key = JSON.stringify([source, tool]);
    const before = known.get(key);
    if (before === undefined && known.size >= bounds.learnedTools) return false;
    let merged = before === undefined ? result : mergeShapes(before.result, result);
    if (countShapes(merged) > bounds.learnedParts) merged = anything;
    if (before !== undefined && isSame(before.result, merged)) return false;
    known.set(key, { source, tool, result: merged });
    return true;
  }

  async function save(path: string): Promise<void> {
    const upTo = changes;
    try {
      const { learned, fault } = await readLearned(path);
      for (const one of learned) merge(one);
      if (fault !== undefined) await putAside(path);
      const sorted = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
      await writeLearned(path, sorted);
      kept = upTo;
    } catch (error) {
      logger.warn(`learnOutputs: what was learned could not be kept in ${path}: ${messageOf(error)}`);
    }
    saving = undefined;
    if (changes > upTo) saveSoon();
  }

  function saveSoon(): void {
    if (file === undefined || isClosed || timer !== undefined || saving !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      saving = save(file);
    }, bounds.learnedSaveMs);
    timer.unref();
  }

  return {
    observe({ source, originalName, output }, json) {
      if (output !== undefined || json.length > bounds.learnedChars) return;
      if (!merge({ source, tool: originalName, result: shapeOf(parseJson(json)) })) return;
      changes += 1;
      saveSoon();
    },
    now() {
      const then = new Map(known);
      return ({ source, originalName }) => {
        const learned = then.get(JSON.stringify([source, originalName]));
        return learned === undefined ? undefined : shownOnce(learned.result);
      };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await saving;
      if (file !== undefined && changes > kept) await save(file);
    },
  };
}

const isSame = (a: Shape, b: Shape): boolean => JSON.stringify(a) === JSON.stringify(b);

const shown = new WeakMap<Shape, { readonly schema: JsonObject | undefined }>();

/** The same schema object as long as the shape is the same, so that its declaration is made once. */
function shownOnce(shape: Shape): JsonObject | undefined {
  let made = shown.get(shape);
  if (made === undefined) shown.set(shape, (made = { schema: shownShape(shape) }));
  return made.schema;
}
