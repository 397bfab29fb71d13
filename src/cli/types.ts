import { Fault } from "../errors.ts";
import { nearest } from "../nearest.ts";
import { declareWithin, type CatalogueTool } from "../prompt/catalogue.ts";
import { catalogueOf } from "../prompt/offered.ts";
import { readConfig } from "./config.ts";
import type { Interruption } from "./interrupt.ts";
import { openConfig } from "./open.ts";
import { escaped } from "./printable.ts";
import type { Stdio } from "./stdio.ts";
import { exits, noteLogger } from "./terminal.ts";

export interface TypesOptions {
  readonly config: string;
  /** Tokens, four characters each. */
  readonly budget?: number;
  readonly tool?: readonly string[];
  readonly json?: boolean;
}

/** `codecall types`: the declarations that a program is written against, on stdout. */
export async function types(
  options: TypesOptions,
  { result, notes }: Stdio,
  { signal }: Interruption,
): Promise<number> {
  await using opened = await openConfig(readConfig(options.config), noteLogger(notes, true), signal);
  const all = catalogueOf(opened.deployment.surface());
  const { text, warnings, complete, counts } = declareWithin(
    options.tool === undefined ? all : choose(all, options.tool),
    {
      maxTokens: options.budget ?? Infinity,
      findMore: "codecall search finds the others, and types --tool declares one.",
    },
  );
  result.write(
    options.json === true ? `${escaped(JSON.stringify({ declarations: text, complete, counts }))}\n` : escaped(text),
  );
  for (const { message } of warnings) notes.warn(message);
  if (opened.deployment.surface().tools.length === 0 && opened.failures.length === 0) {
    notes.warn(`${options.config} configures no tools; name servers in "mcpServers" or a module in "tools"`);
  }
  for (const failure of opened.failures) notes.fail(failure.message, failure.hint);
  return opened.failures.length === 0 ? exits.completed : exits.failed;
}

function choose(tools: readonly CatalogueTool[], names: readonly string[]): readonly CatalogueTool[] {
  const wanted = new Set(names);
  const chosen = tools.filter(({ name, alias }) =>
    [wanted.delete(name), alias !== undefined && wanted.delete(alias)].includes(true),
  );
  const [unknown] = wanted;
  if (unknown === undefined) return chosen;
  const near = nearest(
    unknown,
    tools.map(({ name }) => name),
  );
  const message = `there is no tool ${JSON.stringify(unknown)}`;
  const hint = `did you mean ${near.map((name) => JSON.stringify(name)).join(" or ")}?`;
  throw new Fault("invalid_options", message, near.length === 0 ? {} : { hint });
}
