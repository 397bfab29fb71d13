import { Fault } from "../errors.ts";
import { checkText, describe } from "../options.ts";
import { checkDefinition } from "./define-tool.ts";
import { unlistedTools } from "./instructions.ts";
import { makeTool } from "./make-tool.ts";
import type { Registrar } from "./registrar.ts";
import { readRestriction, type Restriction } from "./restriction.ts";
import type { AnyTool, ToolDefinition } from "./tool.ts";

/** How a scope says which tools there are. */
export interface Offering {
  tool<A = Record<string, unknown>>(tool: ToolDefinition<A>): Disposable;
  tool(tool: AnyTool): Disposable;
  /**
   * Filters the tools that are registered above this scope, for it and all below: a tool passes if every restriction in
   * force admits it. It lasts until the scope is disposed, so nothing is returned that would lift it.
   */
  restrict(restriction: Restriction): void;
  /** Permits these names alone here and below, whoever registered their tools; of several lists, what all of them hold. */
  permit(names: readonly string[]): Disposable;
}

interface OfferingOptions {
  readonly codeTool: string;
  readonly checkerPath: string;
}

export function makeOffering(
  { layer, live, change, warn }: Registrar,
  { codeTool, checkerPath }: OfferingOptions,
): Offering {
  return {
    tool(definition: AnyTool) {
      live("a tool");
      const checked = checkDefinition(definition);
      const problem = reservedFor(checked.name, codeTool);
      if (problem !== undefined)
        throw new Fault("reserved_name", `tool "${checked.name}": ${problem}`, { details: { name: checked.name } });
      const owner = layer.tools.get(checked.name);
      if (owner !== undefined) {
        const message = `scope "${layer.name}" already has a tool "${checked.name}", from "${owner.source}"`;
        throw new Fault("duplicate_tool", message, {
          hint: "give it another name, dispose the other one first, or register it in a narrower scope, where it hides the other",
          details: { name: checked.name, scope: layer.name },
        });
      }
      const tool = makeTool(checked, { prefix: "", source: layer.path, warn, isStrict: true, checkerPath });
      return change(
        "tools",
        () => layer.tools.set(tool.name, tool),
        () => layer.tools.get(tool.name) === tool && layer.tools.delete(tool.name),
      );
    },
    restrict(restriction) {
      live("a restriction");
      const mask = readRestriction(layer.name, restriction, codeTool);
      layer.masks.add(mask);
      layer.versions.tools++;
    },
    permit(names) {
      live("a permission");
      if (!Array.isArray(names)) {
        throw new Fault("invalid_options", `scope.permit takes an array of names, got ${describe(names)}`);
      }
      for (const name of names) checkText("a name of scope.permit", name);
      const permitted = new Set(names);
      return change(
        "tools",
        () => layer.permits.add(permitted),
        () => layer.permits.delete(permitted),
      );
    },
  };
}

/** Why no tool may have this name. */
export function reservedFor(name: string, codeTool: string): string | undefined {
  if (name === codeTool) return "that name belongs to the code tool";
  return name === unlistedTools ? "that name stands for the tools that an order does not list" : undefined;
}
