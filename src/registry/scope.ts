import { Fault, messageOf } from "../errors.ts";
import { checkOptions, checkText } from "../options.ts";
import { type Composed, type Composition, type Form, makeComposition } from "./composition.ts";
import { type Deciding, makeDeciding } from "./deciding.ts";
import { type Instructing, makeInstructing } from "./instruct.ts";
import { clearLayer, type Layer, makeLayer, outermost } from "./layer.ts";
import { makeOffering, type Offering, reservedFor } from "./offering.ts";
import { type DeploymentOptions, readDeploymentOptions } from "./options.ts";
import { makeRegistrar, type Registrar, warnOf } from "./registrar.ts";
import { makeScopeSources } from "./scope-sources.ts";
import type { SourceHost, ToolSource } from "./source.ts";
import { type Surface, surfaceOf } from "./surface.ts";
import type { Warning } from "./warning.ts";

/** A layer that things are registered in; what a registration returns takes it away again, and so does disposing the scope. */
export interface Scope<R, A> extends Offering, Deciding, Instructing, Disposable, AsyncDisposable {
  readonly name: string;
  /** All that what is registered in this scope drew so far, each once, in order. */
  readonly warnings: readonly Warning[];
  /** Resolves once the source's tools are registered; rejects with `source_failed`, the source closed. */
  source(source: ToolSource): Promise<AsyncDisposable>;
  scope(name: string): Scope<R, A>;
  compose(name: string): Composition<R, A>;
  agent(name: string, entries?: { readonly form?: Form; readonly runtime?: R }): Promise<A>;
  /** What is visible here now; the same object until something registered changes. */
  surface(): Surface;
}

interface Deployment<R, A> extends Required<DeploymentOptions> {
  readonly join: (composed: Composed<R>) => A | Promise<A>;
}

/** A scope among those that go with it. */
interface Node {
  readonly children: Set<Node>;
  /** Ends this scope alone, once; resolves when its sources are closed. */
  end(): Promise<void>;
}

/** The outermost scope; `join` makes the agent that `start()` returns. */
export function createScopes<R, A>({
  join,
  ...options
}: DeploymentOptions & Pick<Deployment<R, A>, "join">): Scope<R, A> {
  return makeScope(makeLayer(outermost, undefined), { ...readDeploymentOptions(options), join }, undefined);
}

function makeScope<R, A>(layer: Layer, deployment: Deployment<R, A>, parent: Node | undefined): Scope<R, A> {
  const { name } = layer;
  const { logger } = deployment;
  const controller = new AbortController();
  let isOver = false;
  let ended = Promise.resolve();
  let disposed: Promise<unknown> | undefined;
  const registrar = makeRegistrar(layer, logger, () => isOver);
  const { live, warn } = registrar;
  const sources = makeScopeSources(name, sourceHost(registrar, deployment), live);
  const current = surfaceOf(layer, deployment, (about, warning) => warnOf(about, warning, logger));

  function surface(): Surface {
    live("a surface");
    return current();
  }

  async function shutDown(): Promise<void> {
    parent?.children.delete(node);
    const closing = sources.close();
    controller.abort(new Fault("scope_disposed", `scope "${name}" was disposed`));
    clearLayer(layer);
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
    source: (source) => sources.join(source),
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
        const { codeTool, declareIn, declarationTokens } = deployment;
        const { signal } = controller;
        return { scope: layer.path, codeTool, declareIn, declarationTokens, logger, surface, signal };
      };
      return makeComposition(compositionName, base, deployment.join, warn);
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
  { codeTool, checkerPath }: Pick<Required<DeploymentOptions>, "codeTool" | "checkerPath">,
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
