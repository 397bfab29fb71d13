import type { JsonObject } from "../json.ts";
import type { OfferedTool } from "../registry/surface.ts";

export interface ModelTool {
  /** Fit for a provider's tools array; `dispatch` takes it back. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** In `deferring` alone: the provider keeps it from the model until a search refers to it (`defer_loading`). */
  readonly deferLoading?: true;
}

export const modelTool = ({ providerName, tool }: OfferedTool): ModelTool =>
  Object.freeze({ name: providerName, description: tool.description, inputSchema: tool.input.json });
