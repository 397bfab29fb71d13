import * as $ from "../../primordials.ts";
import { render } from "./render.ts";

/** All arguments of a console method as one text: specifiers of a first string filled, the rest joined by a space. */
export function format(args: readonly unknown[], maxChars: number): string {
  const first = args[0];
  let used = 0;
  let text = "";
  if (typeof first === "string" && args.length > 1 && $.indexOf(first, "%") >= 0) {
    used = 1;
    let from = 0;
    for (let at = $.indexOf(first, "%"); at >= 0 && text.length < maxChars; at = $.indexOf(first, "%", from)) {
      const specifier = first[at + 1];
      text += $.slice(first, from, at);
      from = at + 2;
      if (specifier === "%") {
        text += "%";
      } else if (used < args.length && isSpecifier(specifier)) {
        text += fill(specifier, args[used], maxChars);
        used += 1;
      } else {
        text += "%";
        from = at + 1;
      }
    }
    text += $.slice(first, from);
  }
  for (let i = used; i < args.length && text.length < maxChars; i += 1) {
    if (i > 0) text += " ";
    text += render(args[i], maxChars);
  }
  return $.slice(text, 0, maxChars);
}

type Specifier = "s" | "d" | "i" | "f" | "j" | "o" | "O" | "c";

function isSpecifier(letter: string | undefined): letter is Specifier {
  return letter !== undefined && $.indexOf("sdifjoOc", letter) >= 0;
}

function fill(specifier: Specifier, value: unknown, maxChars: number): string {
  // A style: there is nothing to style.
  if (specifier === "c") return "";
  if (specifier !== "d" && specifier !== "i" && specifier !== "f") return render(value, maxChars);
  if (typeof value === "bigint") return `${value}n`;
  const number = typeof value === "number" || typeof value === "string" ? $.toNumber(value) : Number.NaN;
  return `${specifier === "i" && number - number === 0 ? number - (number % 1) : number}`;
}
