import { Fault } from "../errors.ts";
import { checkOptions, checkText } from "../options.ts";
import { isOfHost } from "./layer.ts";
import { joinSource, type SourceHost, type ToolSource } from "./source.ts";

export interface SourceOptions {
  /** Whoever writes what its tools answer may mean harm: the first read taints a session. */
  readonly untrusted?: boolean;
}

/** The sources of one scope. */
export interface ScopeSources {
  join(source: ToolSource, options?: SourceOptions): Promise<AsyncDisposable>;
  /** Starts to close them all, the latest first. */
  close(): readonly Promise<void>[];
}

/** `live` throws where the scope is gone. */
export function makeScopeSources(scope: string, host: SourceHost, live: (what: string) => void): ScopeSources {
  const sources = new Map<string, () => Promise<void>>();
  return {
    async join(source, options) {
      live("a source");
      checkOptions("scope.source", options, { untrusted: "flag" });
      const { name } = source;
      checkText("the name of a source", name);
      if (isOfHost(name))
        throw new Fault("reserved_name", `source "${name}": that name belongs to the tools of the host`);
      if (sources.has(name)) {
        throw new Fault("duplicate_source", `scope "${scope}" already has a source "${name}"`, {
          hint: "give it another name, or dispose the other one first",
          details: { name, scope },
        });
      }
      const joined = joinSource(source, { ...host, isUntrusted: options?.untrusted === true });
      // By then the name may be another source's.
      const forget = (): unknown => sources.get(name) === close && sources.delete(name);
      const close = (): Promise<void> => joined.close().finally(forget);
      sources.set(name, close);
      await joined.ready.catch((error: unknown) => {
        forget();
        live(`source "${name}"`);
        throw error;
      });
      live(`source "${name}"`);
      return { [Symbol.asyncDispose]: close };
    },
    close: () => [...sources.values()].toReversed().map((close) => close()),
  };
}
