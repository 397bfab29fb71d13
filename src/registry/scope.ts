import { Fault, messageOf } from "../errors.ts";
import { checkOptions, checkText } from "../options.ts";
import { type Composition, type Form, type Joining, makeComposition } from "./composition.ts";
import { type Deciding, makeDeciding } from "./deciding.ts";
import { type Finding, makeFinding } from "./finding.ts";
import { type Instructing, makeInstructing } from "./instruct.ts";
import { clearLayer, type Layer, makeLayer, outermost } from "./layer.ts";
import { createLearner, type Learner } from "./learn/learner.ts";
import { makeOffering, type Offering, reservedFor } from "./offering.ts";
import { type DeploymentOptions, type DeploymentSettings, readDeploymentOptions } from "./options.ts";
import { provideTools } from "./provided.ts";
import { makeRegistrar, type Registrar, warnOf } from "./registrar.ts";
import { makeScopeSources, type SourceOptions } from "./scope-sources.ts";
import type { SourceHost, ToolSource } from "./source.ts";
import { type Surface, surfaceOf } from "./surface.ts";
import type { Tool } from "./tool.ts";
import type { Warning } from "./warning.ts";

/** A layer that things are registered in; what a registration returns takes it away again, and so does disposing the scope. */
export interface Scope<R, A> extends Offering, Deciding, Instructing, Finding, Disposable, AsyncDisposable {
  readonly name: string;
  /** All that what is registered in this scope drew so far, each once, in order. */
  readonly warnings: readonly Warning[];
  /** Resolves once the source's tools are registered; rejects with `source_failed`, the source closed. */
  source(source: ToolSource, options?: SourceOptions): Promise<AsyncDisposable>;
  scope(name: string): Scope<R, A>;
  compose(name: string): Composition<R, A>;
  agent(name: string, entries?: { readonly form?: Form; readonly runtime?: R }): Promise<A>;
  /** What is visible here now; the same object until something registered changes. */
  surface(): Surface;
}

type Deployment<R, A> = DeploymentSettings &
  Joining<R, A> & { readonly learner: Learner | undefined; readonly provided: readonly Tool[] | undefined };

/** A scope among those that go with it. */
interface Node {
  readonly children: Set<Node>;
  /** Ends this scope alone, once; resolves when its sources are closed. */
  end(): Promise<void>;
}

/** The outermost scope; `join` makes the agent that `start()` returns, in whatever runtime unless `unfit` objects. */
export function createScopes<R, A>({
  join,
  unfit = () => undefined,
  ...options
}: DeploymentOptions & Pick<Joining<R, A>, "join"> & Partial<Joining<R, A>>): Scope<R, A> {
  const read = readDeploymentOptions(options);
  const { learnOutputs, logger, lean, checkerPath } = read;
  const provided = lean === undefined ? undefined : provideTools(lean.alwaysOn, checkerPath);
  const learner = learnOutputs === false ? undefined : createLearner(learnOutputs, logger);
  return makeScope(makeLayer(outermost, undefined), { ...read, join, unfit, learner, provided }, undefined);
}

function makeScope<R, A>(layer: Layer, deployment: Deployment<R, A>, parent: Node | undefined): Scope<R, A> {
  const { name } = layer;
  const { logger, learner } = deployment;
  const controller = new AbortController();
  let isOver = false;
  let ended = Promise.resolve();
  let disposed: Promise<unknown> | undefined;
  const registrar = makeRegistrar(layer, logger, () => isOver);
  const { live, warn } = registrar;
  const sources = makeScopeSources(name, sourceHost(registrar, deployment), live);
  /** Surfaces that hold on to what was learned until now. */
  const begin = (): (() => Surface) =>
    surfaceOf(layer, { ...deployment, learned: learner?.now() }, (about, warning) => warnOf(about, warning, logger));
  let current: (() => Surface) | undefined;

  function surface(): Surface {
    live("a surface");
    return (current ??= begin())();
  }

  /** An agent's surfaces: they are the scope's own, or hold on to what was learned before it started. */
  function surfacesOfAgent(): () => Surface {
    if (learner === undefined) return surface;
    const own = begin();
    return () => {
      live("a surface");
      return own();
    };
  }

  async function shutDown(): Promise<void> {
    parent?.children.delete(node);
    const closing = sources.close();
    controller.abort(new Fault("scope_disposed", `scope "${name}" was disposed`));
    clearLayer(layer);
    if (parent === undefined) await learner?.close();
    for (const outcome of await Promise.allSettled(closing)) {
      if (outcome.status === "rejected")
        logger.error(`closing a source failed: ${messageOf(outcome.reason)}`, { scope: layer.path });
    }
  }

  async function dispose(): Promise<void> {
    disposed ??= Promise.all(innermostFirst(node).map((one) => one.end()));
    await disposed;
  }

  const node: Node = {
    children: new Set(),
    end() {
      if (!isOver) {
        isOver = true;
        ended = shutDown();
      }
      return ended;
    },
  };
  parent?.children.add(node);

  const scope: Scope<R, A> = {
    name,
    get warnings() {
      return [...layer.warnings.values()];
    },
    ...makeOffering(registrar, deployment),
    ...makeDeciding(registrar),
    ...makeInstructing(registrar),
    ...makeFinding(registrar, deployment.lean !== undefined),
    source: (source, options) => sources.join(source, options),
    scope(childName) {
      live("a scope");
      checkText("the name of a scope", childName);
      return makeScope(makeLayer(childName, layer), deployment, node);
    },
    compose(compositionName) {
      live("a composition");
      checkText("the name of a composition", compositionName);
      const base = () => {
        live(`composition "${compositionName}"`);
        const { codeTool, declareIn, declarationTokens, lean, roots, redactor } = deployment;
        const { signal } = controller;
        return {
          scope: layer.path,
          codeTool,
          declareIn,
          declarationTokens,
          roots,
          lean,
          logger,
          redactor,
          warn,
          observe: learner?.observe,
          surface: surfacesOfAgent(),
          signal,
        };
      };
      return makeComposition(compositionName, base, deployment);
    },
    async agent(agentName, entries = {}) {
      checkOptions("scope.agent", entries, { form: "anything", runtime: "anything" });
      const { form, runtime } = entries;
      const composition = scope.compose(agentName);
      if (form !== undefined) composition.form(form);
      if (runtime !== undefined) composition.runtime(runtime);
      return composition.start();
    },
    surface,
    [Symbol.dispose]: () => void dispose(),
    [Symbol.asyncDispose]: dispose,
  };
  return Object.freeze(scope);
}

function sourceHost(
  { layer, warn }: Registrar,
  { codeTool, checkerPath }: Pick<DeploymentSettings, "codeTool" | "checkerPath">,
): SourceHost {
  return {
    taken(tool, own) {
      const owner = layer.tools.get(tool);
      return (
        reservedFor(tool, codeTool) ??
        (owner === undefined || own.has(owner)
          ? undefined
          : `the name is taken in scope "${layer.name}" by "${owner.source}"`)
      );
    },
    replace(before, after) {
      for (const tool of before) layer.tools.delete(tool.name);
      for (const tool of after) layer.tools.set(tool.name, tool);
      layer.versions.tools++;
    },
    warn,
    checkerPath,
  };
}

/** The scope and all below it: inner before outer, the latest first. */
function innermostFirst(node: Node): readonly Node[] {
  const found: Node[] = [];
  const open = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    found.push(at);
    for (const child of [...at.children].toReversed()) open.push(child);
  }
  return found.toReversed();
}
