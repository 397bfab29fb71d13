import * as $ from "../../primordials.ts";
import type { CallError } from "../protocol.ts";
import { cutStack, siteText, withFrames } from "./stacks.ts";

interface ToolErrorOptions {
  readonly code?: string;
  readonly hint?: string;
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** What a failed call rejects with; a program may throw its own. */
export class ToolError extends Error {
  declare readonly code: string;
  declare readonly hint?: string;
  declare readonly details?: unknown;
  /** The status and effect of the call, as in the record. */
  declare readonly status?: string;
  declare readonly effect?: string;
  declare readonly tool?: string;

  constructor(message?: string, options: ToolErrorOptions = {}) {
    super(message, options);
    cutStack(this, new.target);
    $.define(this, "code", options.code ?? "tool_error", true);
    if (options.hint !== undefined) $.define(this, "hint", options.hint, true);
    if (options.details !== undefined) $.define(this, "details", options.details, true);
  }
}
$.define(ToolError.prototype, "name", "ToolError");

const fields = ["code", "hint", "details", "status", "effect", "tool"] as const;

/** The error of one call, its stack that of the call site: no frame of the bootstrap is in it, and no code of the program runs. */
export function callFailure(error: CallError, site: Error, maxChars: number): ToolError {
  // Not `new ToolError`: what the class extends is the program's to change, and options are looked up on prototypes.
  const made = withFrames(0, () => $.construct($.NativeError, [error.message], ToolError) as ToolError);
  for (let i = 0; i < fields.length; i += 1) {
    const field = fields[i];
    // Only own fields: the text was parsed, and `Object.prototype` is the program's.
    if (field !== undefined && $.hasOwn(error, field)) $.define(made, field, error[field], true);
  }
  $.define(made, "stack", `ToolError: ${error.message}\n${siteText(site, maxChars)}`);
  return made;
}
