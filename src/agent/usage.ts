import { Fault } from "../errors.ts";
import type { Logger } from "../log.ts";
import { checkOptions, describe } from "../options.ts";
import { estimateTokens } from "../prompt/catalogue.ts";
import type { ModelTool } from "./model-tool.ts";

/** What a provider says of one response. */
export interface UsageReport {
  readonly inputTokens: number;
  /** Those of them that came from its cache. */
  readonly cachedTokens?: number;
}

/** Of all responses of a turn. */
export interface UsageTotal {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** What the declarations of tools in its requests come to, four characters each. */
  readonly declarationTokens: number;
  /** All of it in a line. */
  readonly line: string;
}

interface Shown {
  readonly tools: readonly ModelTool[];
  readonly codeTool?: ModelTool;
}

export interface TurnUsage {
  /** Takes down what the next response is an answer to. */
  shown(surface: Shown): void;
  /** Throws `invalid_options` for what is no count of tokens. */
  add(report: UsageReport): UsageTotal;
  /** Logs the line, once, where anything was reported. */
  close(logger: Logger): void;
}

export function createUsage(turn: number): TurnUsage {
  let total: UsageTotal | undefined;
  let last: Shown = { tools: [] };
  let closed = false;
  return {
    shown(surface) {
      last = surface;
    },
    add(report) {
      checkOptions("turn.usage", report ?? null, { inputTokens: "anything", cachedTokens: "anything" });
      const { inputTokens, cachedTokens = 0 } = report;
      for (const [name, tokens] of Object.entries({ inputTokens, cachedTokens })) {
        if (Number.isInteger(tokens) && tokens >= 0) continue;
        throw new Fault("invalid_options", `${name} of turn.usage must be an integer from 0, got ${describe(tokens)}`);
      }
      const input = (total?.inputTokens ?? 0) + inputTokens;
      const cached = (total?.cachedTokens ?? 0) + cachedTokens;
      const declared = (total?.declarationTokens ?? 0) + declarationTokens(last);
      const share = input === 0 ? 0 : Math.round((cached / input) * 100);
      const line = `Usage of turn ${turn}: ${input} input tokens, ${share} % from cache, ${declared} in declarations of tools.`;
      total = Object.freeze({ inputTokens: input, cachedTokens: cached, declarationTokens: declared, line });
      return total;
    },
    close(logger) {
      if (total !== undefined && !closed) logger.info?.(total.line);
      closed = true;
    },
  };
}

function declarationTokens({ tools, codeTool }: Shown): number {
  return [...tools, ...(codeTool === undefined ? [] : [codeTool])].reduce(
    (sum, tool) => sum + estimateTokens(JSON.stringify(tool)),
    0,
  );
}
