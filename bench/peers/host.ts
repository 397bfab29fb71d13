// The process that embeds one system: it is told what to run, and may hang or die of it without harm to the others.
import { checks, hostile, trivial } from "./programs.ts";
import { rows, watchLoop } from "./rows.ts";
import type { StartSystem, System } from "./system.ts";
import { makeTools } from "./tools.ts";

export type Request =
  | { readonly kind: "first" }
  | { readonly kind: "row"; readonly row: string; readonly round: number }
  | { readonly kind: "hostile" | "check"; readonly name: string };

export type Reply =
  | { readonly samples: readonly (readonly number[])[] }
  | { readonly outcome: Outcome }
  | { readonly failed: string };

/** How a program ended that should not have run to its end. */
export interface Outcome {
  readonly kind: "ended" | "refused";
  readonly text: string;
  readonly ms: number;
  /** The longest time in which the host could do nothing else. */
  readonly blockedMs: number;
  /** Whether the next program was answered. */
  readonly answersNext: boolean;
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function answersNext(system: System): Promise<boolean> {
  try {
    return (await system.run(trivial(1))) === 2;
  } catch {
    return false;
  }
}

async function tryOut(system: System, request: Extract<Request, { name: string }>): Promise<Outcome> {
  const program = (request.kind === "check" ? checks : hostile)[request.name]?.(system.call);
  if (program === undefined) throw new Error(`no program "${request.name}"`);
  const lag = await watchLoop();
  const start = performance.now();
  const [kind, text] = await system.run(program).then(
    (value) => ["ended", JSON.stringify(value) ?? "undefined"] as const,
    (error: unknown) => ["refused", message(error)] as const,
  );
  const ms = performance.now() - start;
  const { max: blockedMs } = await lag();
  return { kind, text: text.slice(0, 200), ms, blockedMs, answersNext: await answersNext(system) };
}

async function answer(system: System, request: Request): Promise<Reply> {
  if (request.kind === "hostile" || request.kind === "check") return { outcome: await tryOut(system, request) };
  if (request.kind === "row") return { samples: (await rows[request.row]?.sample(system, request.round)) ?? [] };
  if ((await system.run(trivial(0))) !== 1) throw new Error("the first program gave another value");
  return { samples: [] };
}

if (import.meta.main) {
  const [name = "", others = "0", timeoutMs = "30000"] = process.argv.slice(2);
  const { start } = (await import(`./systems/${name}.ts`)) as { readonly start: StartSystem };
  const system = await start({ tools: makeTools(Number(others)), timeoutMs: Number(timeoutMs) });
  process.on("message", (request: Request) => {
    void answer(system, request)
      .catch((error: unknown): Reply => ({ failed: message(error) }))
      .then((reply) => process.send?.(reply));
  });
}
