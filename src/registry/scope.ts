import { Fault, messageOf } from "../errors.ts";
import { checkOptions, checkText } from "../options.ts";
import { type Composed, type Composition, type Form, makeComposition } from "./composition.ts";
import { checkDefinition } from "./define-tool.ts";
import { chain, type Layer, makeLayer } from "./layer.ts";
import { makeTool } from "./make-tool.ts";
import { type DeploymentOptions, readDeploymentOptions } from "./options.ts";
import type { Guard, Policy } from "./policy.ts";
import { joinSource, type SourceHost, type ToolSource } from "./source.ts";
import { makeSurface, type Surface } from "./surface.ts";
import type { AnyTool, ToolDefinition } from "./tool.ts";
import type { Warning } from "./warning.ts";

/** A layer that things are registered in; what a registration returns takes it away again, and so does disposing the scope. */
export interface Scope<R, A> extends Disposable, AsyncDisposable {
  readonly name: string;
  /** All drawn in this scope so far, each once, in order. */
  readonly warnings: readonly Warning[];
  tool<A = Record<string, unknown>>(tool: ToolDefinition<A>): Disposable;
  tool(tool: AnyTool): Disposable;
  /** Resolves once the source's tools are registered; rejects with `source_failed`, the source closed. */
  source(source: ToolSource): Promise<AsyncDisposable>;
  guard(name: string, guard: Guard): Disposable;
  policy(policy: Policy): Disposable;
  scope(name: string): Scope<R, A>;
  compose(name: string): Composition<R, A>;
  agent(name: string, entries?: { readonly form?: Form; readonly runtime?: R }): Promise<A>;
  /** What is visible here now; the same object until something registered changes. */
  surface(): Surface;
}

interface Deployment<R, A> extends Required<DeploymentOptions> {
  readonly join: (composed: Composed<R>) => A | Promise<A>;
}

const outermost = "deployment";
const unlistedTools = "<unlisted-tools>";

/** The outermost scope; `join` makes the agent that `start()` returns. */
export function createScopes<R, A>({
  join,
  ...options
}: DeploymentOptions & Pick<Deployment<R, A>, "join">): Scope<R, A> {
  return makeScope(makeLayer(outermost, undefined), { ...readDeploymentOptions(options), join }, () => undefined);
}

function makeScope<R, A>(layer: Layer, deployment: Deployment<R, A>, onDisposed: () => void): Scope<R, A> {
  const { name } = layer;
  const warnings = new Map<string, Warning>();
  const children = new Set<Scope<R, A>>();
  const sources = new Map<string, () => Promise<void>>();
  const controller = new AbortController();
  let cached: { readonly key: string; readonly surface: Surface } | undefined;
  let disposing: Promise<void> | undefined;
  let disposed = false;

  function warn(warning: Warning): void {
    if (warnings.has(warning.message)) return;
    warnings.set(warning.message, Object.freeze(warning));
    const { message, ...data } = warning;
    deployment.logger.warn(message, { scope: layer.path, ...data });
  }

  function live(what: string): void {
    if (disposed) throw new Fault("scope_disposed", `scope "${name}" is disposed; ${what} needs one that is not`);
  }

  /** Runs one change of the layer, and hands out its reverse, to be run at most once. */
  function change(apply: () => void, revert: () => void): Disposable {
    apply();
    layer.version++;
    let over = false;
    return {
      [Symbol.dispose]() {
        if (over) return;
        over = true;
        revert();
        layer.version++;
      },
    };
  }

  function reserved(tool: string): string | undefined {
    if (tool === deployment.codeTool) return "that name belongs to the code tool";
    return tool === unlistedTools ? "that name stands for the tools that an order does not list" : undefined;
  }

  const host: SourceHost = {
    taken(tool, own) {
      const owner = layer.tools.get(tool);
      return (
        reserved(tool) ??
        (owner === undefined || own.has(owner)
          ? undefined
          : `the name is taken in scope "${name}" by "${owner.source}"`)
      );
    },
    replace(before, after) {
      for (const tool of before) layer.tools.delete(tool.name);
      for (const tool of after) layer.tools.set(tool.name, tool);
      layer.version++;
    },
    warn,
  };

  function surface(): Surface {
    live("a surface");
    const key = chain(layer)
      .map(({ version }) => version)
      .join(" ");
    if (cached?.key !== key) {
      cached = { key, surface: makeSurface(layer, deployment) };
      cached.surface.warnings.forEach(warn);
    }
    return cached.surface;
  }

  async function shutDown(): Promise<void> {
    onDisposed();
    const closing = [
      ...[...children].map((child) => child[Symbol.asyncDispose]()),
      ...[...sources.values()].map((close) => close()),
    ];
    layer.tools.clear();
    layer.guards.clear();
    layer.policies.clear();
    layer.version++;
    controller.abort(new Fault("scope_disposed", `scope "${name}" was disposed`));
    for (const outcome of await Promise.allSettled(closing)) {
      if (outcome.status === "rejected")
        deployment.logger.error(`closing a source failed: ${messageOf(outcome.reason)}`, { scope: layer.path });
    }
  }

  async function dispose(): Promise<void> {
    if (!disposed) {
      disposed = true;
      disposing = shutDown();
    }
    await disposing;
  }

  const scope: Scope<R, A> = {
    name,
    get warnings() {
      return [...warnings.values()];
    },
    tool(definition: AnyTool) {
      live("a tool");
      const checked = checkDefinition(definition);
      const problem = reserved(checked.name);
      if (problem !== undefined)
        throw new Fault("reserved_name", `tool "${checked.name}": ${problem}`, { details: { name: checked.name } });
      const owner = layer.tools.get(checked.name);
      if (owner !== undefined) {
        const message = `scope "${name}" already has a tool "${checked.name}", from "${owner.source}"`;
        throw new Fault("duplicate_tool", message, { details: { name: checked.name, scope: name } });
      }
      const tool = makeTool(checked, { prefix: "", source: layer.path, warn, isStrict: true });
      return change(
        () => layer.tools.set(tool.name, tool),
        () => layer.tools.get(tool.name) === tool && layer.tools.delete(tool.name),
      );
    },
    async source(source) {
      live("a source");
      const { name: sourceName } = source;
      checkText("the name of a source", sourceName);
      if (sourceName === outermost || sourceName.startsWith(`${outermost}/`)) {
        throw new Fault("reserved_name", `source "${sourceName}": that name belongs to the tools of the host`);
      }
      if (sources.has(sourceName))
        throw new Fault("duplicate_source", `scope "${name}" already has a source "${sourceName}"`);
      const joined = joinSource(source, host);
      // By then the name may be another source's.
      const forget = (): unknown => sources.get(sourceName) === close && sources.delete(sourceName);
      const close = (): Promise<void> => joined.close().finally(forget);
      sources.set(sourceName, close);
      await joined.ready.catch((error: unknown) => {
        forget();
        live(`source "${sourceName}"`);
        throw error;
      });
      live(`source "${sourceName}"`);
      return { [Symbol.asyncDispose]: close };
    },
    guard(guardName, guard) {
      live("a guard");
      checkText("the name of a guard", guardName);
      if (typeof guard !== "function") throw new Fault("invalid_options", `guard "${guardName}" must be a function`);
      if (layer.guards.has(guardName)) {
        throw new Fault("duplicate_guard", `scope "${name}" already has a guard "${guardName}"`, {
          details: { name: guardName, scope: name },
        });
      }
      const placed = Object.freeze({ name: guardName, scope: name, guard });
      return change(
        () => layer.guards.set(guardName, placed),
        () => layer.guards.get(guardName) === placed && layer.guards.delete(guardName),
      );
    },
    policy(policy) {
      live("a policy");
      if (typeof policy !== "function")
        throw new Fault("invalid_options", `a policy of scope "${name}" must be a function`);
      const placed = Object.freeze({ scope: name, policy });
      return change(
        () => layer.policies.add(placed),
        () => layer.policies.delete(placed),
      );
    },
    scope(childName) {
      live("a scope");
      checkText("the name of a scope", childName);
      const child: Scope<R, A> = makeScope(makeLayer(childName, layer), deployment, () => children.delete(child));
      children.add(child);
      return child;
    },
    compose(compositionName) {
      live("a composition");
      checkText("the name of a composition", compositionName);
      const base = () => {
        live(`composition "${compositionName}"`);
        return {
          scope: layer.path,
          codeTool: deployment.codeTool,
          logger: deployment.logger,
          surface,
          signal: controller.signal,
        };
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
