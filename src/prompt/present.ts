import { Fault } from "../errors.ts";
import type { DeclareIn, Form } from "../registry/composition.ts";
import { callableBy } from "../registry/callers.ts";
import type { OfferedTool, Surface } from "../registry/surface.ts";
import type { Warning } from "../registry/warning.ts";
import { declareWithin } from "./catalogue.ts";
import { codeToolDescription, programText } from "./code-tool.ts";
import { programGuidance } from "./guidance.ts";
import { catalogueOf } from "./offered.ts";
import { arrange } from "./tool-order.ts";

export interface PresentOptions {
  readonly form: Form;
  readonly declareIn: DeclareIn;
  /** Of the declarations, four characters each. */
  readonly declarationTokens: number;
}

/** What a model is told of the tools of a surface. */
export interface Presentation {
  /** Those it may call directly, in their order. */
  readonly direct: readonly OfferedTool[];
  readonly declarations: string;
  /** Absent in `direct` form. */
  readonly codeToolDescription: string | undefined;
  /** The part of the prompt that describes tools; throws `prompt_invalid` where their order cannot be followed. */
  readonly promptText: () => string;
  readonly warnings: readonly Warning[];
}

const findMore = "Every tool can be called, shown or not: Object.keys(tools) lists their names.";

export function present(surface: Surface, { form, declareIn, declarationTokens }: PresentOptions): Presentation {
  const { tools, problem } = ordered(surface);
  const declared = declareWithin(catalogueOf({ tools }), {
    maxTokens: declarationTokens,
    findMore,
  });
  const direct = form === "code" ? [] : callableBy({ tools }, "direct");
  const program = form === "direct" ? undefined : programText(programGuidance(form), declared.text);
  const whole = wholePrompt(surface.instructions.sections);
  const isWanted = program !== undefined && declareIn === "prompt";
  const isInPrompt = isWanted && whole === undefined;
  const described = isInPrompt ? direct.filter(({ tool }) => !tool.callers.includes("code")) : direct;
  return {
    direct,
    declarations: declared.text,
    codeToolDescription: program === undefined ? undefined : codeToolDescription(isInPrompt ? undefined : program),
    promptText() {
      if (problem !== undefined) throw problem;
      return [...(isInPrompt ? [program] : []), ...describeTools(described)].join("\n\n");
    },
    warnings: [
      ...declared.warnings.map(({ tool, message }) => ({ kind: "schema", tool, message }) as const),
      ...(isWanted && whole !== undefined ? [displaced(whole)] : []),
    ],
  };
}

/** The name of the section that stands for the whole prompt, in which no declarations have a place. */
export const wholePrompt = (sections: Surface["instructions"]["sections"]): string | undefined =>
  sections.find(({ complete }) => complete)?.name;

export const displaced = (section: string): Warning => ({
  kind: "prompt",
  message: `the prompt section ${JSON.stringify(section)} is the whole prompt, so the declarations, which declareIn puts into the prompt, stand in the code tool's description`,
});

/** The tools in the order that holds here; where it cannot be followed by name, and why. */
function ordered(surface: Surface): { readonly tools: readonly OfferedTool[]; readonly problem?: Fault } {
  try {
    return { tools: arrange(surface.tools, surface.instructions.toolOrder, surface.registered) };
  } catch (problem) {
    if (!(problem instanceof Fault)) throw problem;
    return { tools: surface.tools, problem };
  }
}

export function describeTools(tools: readonly OfferedTool[]): readonly string[] {
  if (tools.length === 0) return [];
  return [["Tools:", ...tools.map(describeTool)].join("\n")];
}

const describeTool = ({ providerName, tool }: OfferedTool): string =>
  tool.description === "" ? `- ${providerName}` : `- ${providerName}: ${indented(tool.description)}`;

/** Its later lines are indented, or they could pass for entries of their own. */
const indented = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line, index) => (index === 0 || line === "" ? line : `  ${line}`))
    .join("\n");
