// What a model is told of a lean surface. Only what every request shows is described in the text, and only that and what
// the turn forces is declared: what a search finds comes with its answer, so that finding changes nothing said before.
import type { Bound } from "../registry/bound.ts";
import { callableBy } from "../registry/callers.ts";
import { searchToolName } from "../registry/provided.ts";
import type { Surface } from "../registry/surface.ts";
import { codeToolDescription, programText } from "./code-tool.ts";
import { programGuidance, searchGuidance } from "./guidance.ts";
import { declareLean } from "./lean-catalogue.ts";
import { catalogueOf } from "./offered.ts";
import { describeTools, displaced, type Presentation, type PresentOptions, wholePrompt } from "./present.ts";

export function presentLean(
  surface: Surface,
  { always, forced, others, indexTokens }: Bound,
  { form, declareIn }: Pick<PresentOptions, "form" | "declareIn">,
): Presentation {
  const shown = surface.tools.slice(0, always + forced);
  const names = new Set(shown.map(({ name }) => name));
  const canSearch = names.has(searchToolName);
  const declared = declareLean(
    catalogueOf({ tools: shown }),
    catalogueOf({ tools: others.filter(({ name }) => !names.has(name)) }),
    {
      indexTokens,
      findMore: canSearch ? "What is only named is not bound: search for it." : "What is only named is not bound.",
    },
  );
  const direct = form === "code" ? [] : callableBy(surface, "direct");
  const search = canSearch ? [searchGuidance(form)] : [];
  const program =
    form === "direct" ? undefined : programText([programGuidance(form), ...search].join("\n\n"), declared.text);
  const whole = wholePrompt(surface.instructions.sections);
  const isWanted = program !== undefined && declareIn === "prompt";
  const isInPrompt = isWanted && whole === undefined;
  const lasting = direct.filter(({ number }) => number < always);
  const described = isInPrompt ? lasting.filter(({ tool }) => !tool.callers.includes("code")) : lasting;
  return {
    direct,
    declarations: declared.text,
    codeToolDescription: program === undefined ? undefined : codeToolDescription(isInPrompt ? undefined : program),
    promptText: () =>
      [...(isInPrompt ? [program] : form === "direct" ? search : []), ...describeTools(described)].join("\n\n"),
    warnings: [
      ...declared.warnings.map(({ tool, message }) => ({ kind: "schema", tool, message }) as const),
      ...(isWanted && whole !== undefined ? [displaced(whole)] : []),
    ],
  };
}
