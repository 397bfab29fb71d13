import type { Logger } from "../../src/log.ts";
import type { Composed } from "../../src/registry/composition.ts";
import { createScopes, type Scope } from "../../src/registry/scope.ts";
import type { DeploymentOptions } from "../../src/registry/options.ts";
import type { ToolSource } from "../../src/registry/source.ts";
import type { AnyTool } from "../../src/registry/tool.ts";

export const tool = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: `Returns ${name}.`,
  inputSchema: { type: "object" },
  execute: () => name,
  ...more,
});

export type TestRuntime = { readonly kind: "runtime" };
export type TestScope = Scope<TestRuntime, Composed<TestRuntime>>;

/** A deployment whose agents are what they were composed of. */
export const deploy = (options: DeploymentOptions = {}): TestScope =>
  createScopes<TestRuntime, Composed<TestRuntime>>({ ...options, join: (composed) => composed });

export const names = (scope: TestScope): readonly string[] => scope.surface().tools.map(({ name }) => name);

/** A logger that keeps what it is told. */
export function listen(): Logger & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  return {
    lines,
    warn: (message) => void lines.push(`warn ${message}`),
    error: (message) => void lines.push(`error ${message}`),
  };
}

export interface TestSource extends ToolSource {
  list: () => Promise<readonly AnyTool[]>;
  change(): void;
  readonly state: { closed: number; listeners: number };
}

/** A source whose list a test sets and changes. */
export function source(name: string, tools: readonly AnyTool[], prefix?: string): TestSource {
  const listeners = new Set<() => void>();
  const state = { closed: 0, listeners: 0 };
  return {
    name,
    ...(prefix === undefined ? {} : { prefix }),
    state,
    list: async () => tools,
    tools() {
      return this.list();
    },
    change: () => listeners.forEach((listener) => listener()),
    onChange(listener) {
      listeners.add(listener);
      state.listeners++;
      return {
        [Symbol.dispose]() {
          listeners.delete(listener);
          state.listeners--;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      state.closed++;
    },
  };
}
