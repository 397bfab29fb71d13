// A turn of a lean surface: what it binds now, what its searches answer, and what a model reads of them.
import type { RunLog } from "../bridge/journal.ts";
import { isObject } from "../is-object.ts";
import { parseJson } from "../json.ts";
import { bounds } from "../limits.ts";
import type { Form } from "../registry/composition.ts";
import type { LeanSettings } from "../registry/lean-options.ts";
import type { CallView, Verdict } from "../registry/policy.ts";
import { type SearchKind, providedSource, searchToolName } from "../registry/provided.ts";
import { answerText } from "../registry/search-answer.ts";
import { kindsOf, searchOf } from "../registry/search-surface.ts";
import type { OfferedTool, Surface } from "../registry/surface.ts";
import { force, type Forced, foundAmong } from "./bind.ts";
import { declareFound } from "./declare-found.ts";
import { makeLeanSurface, widen } from "./lean-surface.ts";
import { createSearchLoop } from "./loop.ts";
import type { Memory } from "./memory.ts";
import { isProvided, withBodies } from "./own-tools.ts";
import { judgePins } from "./pins.ts";
import { makePool, matches, type Pool } from "./pool.ts";
import { readPart } from "./read-file.ts";
import { readSearches } from "./recorded-searches.ts";

export interface LeanTask {
  readonly number: number;
  readonly text: string;
  readonly activity: string | undefined;
  readonly workingFolder: string | undefined;
  /** Where files may be read, beside the working folder and the folders of skills. */
  readonly roots: readonly string[];
}

/** What a model reads of a provided tool's result. */
export interface Told {
  readonly text: string;
  /** Of the tools that a search bound and whose loading is deferred, as a provider knows them. */
  readonly references?: readonly string[];
}

export interface LeanTurn {
  /** What a request built now shows; the same object until something changes. */
  surface(): Surface;
  /** For the calls of a model's response: repeated searches are refused. */
  forModel(surface: Surface): Surface;
  /** For a program that keeps this log: what it finds itself it can call. */
  forProgram(surface: Surface, log: RunLog): Surface;
  /** For the host: all that may be bound can be called. */
  forHost(surface: Surface): Surface;
  tell(surface: Surface, name: string, json: string): Told | undefined;
  readonly withholds: (name: string) => boolean;
  /** Why the next request should permit no tool. */
  readonly ended: string | undefined;
  /** How many tools there are to choose from. */
  readonly total: number;
}

interface Now {
  readonly base: Surface;
  readonly pool: Pool;
  readonly forced: Forced;
}

export function openLeanTurn(
  current: () => Surface,
  lean: LeanSettings,
  memory: Memory,
  task: LeanTask & { readonly form: Form },
): LeanTurn {
  const loop = createSearchLoop();
  let state: Now | undefined;
  let made: { readonly of: Now; readonly key: string; readonly surface: Surface } | undefined;

  function now(): Now {
    const base = current();
    if (state?.base === base) return state;
    const same = state?.base.tools === base.tools && state.base.finding === base.finding ? state : undefined;
    const pool = same?.pool ?? makePool(base, lean);
    state = { base, pool, forced: same?.forced ?? force(pool, base, task, lean) };
    return state;
  }

  function search(query: string, kind: string | undefined): unknown {
    const { base, pool, forced } = now();
    const without = (name: string): boolean => {
      const tool = pool.byName.get(name);
      return forced.withholds(name) || (tool !== undefined && !forced.reaches(tool));
    };
    const limited = { kinds: kindsOf((kind ?? "any") as SearchKind), without };
    const answer = searchOf(base)(query, limited);
    const bindable = new Set(forced.bindable.map(({ name }) => name));
    const bound = answer.hits
      .filter(({ name }) => bindable.has(name))
      .map(({ name }) => name)
      .slice(0, bounds.boundTools);
    loop.bound(query, kind ?? "any", bound);
    const tools = bound.flatMap((name) => pool.byName.get(name) ?? []);
    const declarations = task.form === "direct" ? "" : declareFound(tools);
    return { text: answerText(query, answer, bound), hits: answer.hits, bound, declarations };
  }

  function read(path: string, offset: number): unknown {
    const { workingFolder } = task;
    const roots = [...(workingFolder === undefined ? [] : [workingFolder]), ...task.roots];
    return readPart(path, offset, { folders: now().base.finding.folders, roots });
  }

  function hint({ base, pool, forced }: Now, name: string): string | undefined {
    const tool = base.find(name) ?? pool.byName.get(name);
    if (tool === undefined || forced.withholds(tool.name) || !forced.reaches(tool)) return undefined;
    if (pool.gated.includes(tool)) return gatedHint(tool, base);
    const finds = forced.always.some((one) => isProvided(one) && one.name === searchToolName);
    return finds ? `${tool.name} is not bound: a search with ${searchToolName} that finds it binds it` : undefined;
  }

  function makeSurface(of: Now, found: readonly OfferedTool[]): Surface {
    const { base, forced, pool } = of;
    const others = forced.bindable;
    return makeLeanSurface(base, {
      tools: withBodies([...forced.always, ...forced.forced, ...found], { search, read }),
      bound: {
        always: forced.always.length,
        forced: forced.forced.length,
        found: found.length,
        others,
        deferLoading: lean.deferLoading,
        indexTokens: lean.indexTokens,
        hint: (name) => hint({ base, forced, pool }, name),
      },
      policy: { scope: "the turn", policy: (call) => judgePins(forced.pins, call) },
    });
  }

  function judgeSearch({ name, source, args, via }: CallView): Verdict | "allow" {
    if (via !== "direct" || name !== searchToolName || source !== providedSource || !isObject(args)) return "allow";
    const { query, kind = "any" } = args;
    if (typeof query !== "string" || typeof kind !== "string") return "allow";
    const refused = loop.judge(query, kind, searchOf(now().base));
    return refused === undefined ? "allow" : { verdict: "refuse", code: refused.code, message: refused.message };
  }

  return {
    surface() {
      const of = now();
      const found = foundAmong(memory.boundIn(task.number), of.forced);
      const key = JSON.stringify(found.map(({ name }) => name));
      if (made?.of !== of || made.key !== key) made = { of, key, surface: makeSurface(of, found) };
      return made.surface;
    },
    forModel: (surface) =>
      Object.freeze({
        ...widen(surface, () => undefined),
        policies: [{ scope: "the turn", policy: judgeSearch }, ...surface.policies],
      }),
    forProgram(surface, log) {
      const searches = readSearches(log);
      const own = new Set<string>();
      return widen(surface, (name) => {
        for (const names of searches.next()) for (const one of names) own.add(one);
        const tool = now().base.find(name);
        return tool !== undefined && own.has(tool.name) ? tool : undefined;
      });
    },
    forHost: (surface) =>
      widen(surface, (name) => {
        const { base, forced } = now();
        const tool = base.find(name);
        return tool === undefined || forced.withholds(tool.name) ? undefined : tool;
      }),
    tell(surface, name, json) {
      const tool = surface.find(name);
      if (tool === undefined || !isProvided(tool)) return undefined;
      const value: unknown = parseJson(json);
      if (!isObject(value) || typeof value["text"] !== "string") return undefined;
      const { text, bound, next, bytes } = value;
      if (name !== searchToolName) {
        const rest =
          typeof next === "number" ? `\n(to byte ${next} of ${String(bytes)}; read on with offset ${next})` : "";
        return { text: text + rest };
      }
      if (!lean.deferLoading || !Array.isArray(bound)) return { text };
      const { pool, forced } = now();
      const deferred = bound
        .flatMap((one) => pool.byName.get(String(one)) ?? [])
        .filter((one) => !forced.forced.includes(one));
      return { text, references: deferred.map(({ providerName }) => providerName) };
    },
    withholds: (name) => now().forced.withholds(name),
    get ended() {
      return loop.ended;
    },
    get total() {
      const { tools, gated } = now().base;
      return tools.length + gated.length;
    },
  };
}

function gatedHint(tool: OfferedTool, { finding }: Surface): string | undefined {
  const binding = [...finding.commands.values()].filter(({ set, cases }) =>
    [set, ...cases].some(({ tools }) => tools.some((entry) => matches(entry, tool.name))),
  );
  const commands = binding.map(({ name }) => `/${name}`);
  return commands.length === 0
    ? undefined
    : `${tool.name} runs only in a turn in which the user types ${commands.join(" or ")}`;
}
