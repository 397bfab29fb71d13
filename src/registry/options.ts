import { resolve } from "node:path";
import { Fault } from "../errors.ts";
import { isObject } from "../is-object.ts";
import { guarded, type Logger, silent } from "../log.ts";
import { checkOptions, checkText, describe } from "../options.ts";
import { createRedactor, type Redactor, redactedLogger, type Secrets } from "../redact.ts";
import { stateFolder } from "../state-folder.ts";
import { findCheckerFile } from "./checker.ts";
import type { DeclareIn } from "./composition.ts";
import { checkIdentity } from "./instruct.ts";
import { type LeanOptions, type LeanSettings, readLeanOptions } from "./lean-options.ts";

export interface DeploymentOptions {
  readonly logger?: Logger;
  /** The code tool's name, `run_program` unless given; no tool may have it. */
  readonly codeTool?: string;
  /** Characters that a provider lets a tool's name have, 64 unless given. */
  readonly maxProviderName?: number;
  /** Where `dist/checker.js` of this package is, for a host that was bundled away from it. */
  readonly checkerPath?: string;
  /**
   * The folders in which tools may act by the paths that they declare, beside the workspace of a session and the working
   * folder of a turn; the state folder and the current folder unless given.
   */
  readonly roots?: readonly string[];
  /** The line that says who an agent is, where a scope switches it on by `identity(true)`; on its own it switches nothing on. */
  readonly identity?: string;
  /** Where a model reads the declarations of tools, in the forms `code` and `both`; `codeTool` unless given. */
  readonly declareIn?: DeclareIn;
  /** What the declarations may take, four characters a token; beyond it they are shown in part. Unbounded unless given. */
  readonly declarationTokens?: number;
  /**
   * Whether the shapes of results of tools without an output schema are learned and declared, marked as observed, to agents
   * that start later: `true` for as long as this process lives, `{ file }` beyond it. Off unless given.
   */
  readonly learnOutputs?: boolean | { readonly file: string };
  /**
   * Texts that no record, log, error, event or text for a model may hold, each of at least 4 characters, or a function that
   * gives those of the moment: `[redacted]` stands in their place. Programs and the journal have what there is.
   */
  readonly secrets?: Secrets;
  /** Shows a few tools always and lets the others be found; every visible tool is shown unless given. */
  readonly lean?: LeanOptions;
}

export interface DeploymentSettings extends Required<Omit<DeploymentOptions, "lean" | "secrets">> {
  readonly redactor: Redactor | undefined;
  readonly lean: LeanSettings | undefined;
}

const fewestChars = 16;
const mostChars = 256;

export function readDeploymentOptions(given: DeploymentOptions): DeploymentSettings {
  checkOptions("createDeployment", given, {
    logger: "anything",
    codeTool: "anything",
    maxProviderName: "anything",
    checkerPath: "text",
    roots: "texts",
    identity: "text",
    declareIn: "text",
    declarationTokens: "anything",
    learnOutputs: "anything",
    secrets: "anything",
    lean: "anything",
  });
  const {
    logger = silent,
    codeTool = "run_program",
    maxProviderName = 64,
    checkerPath = findCheckerFile(),
    roots = [stateFolder(), process.cwd()],
    identity = "You are an AI agent.",
    declareIn = "codeTool",
    declarationTokens = Infinity,
    learnOutputs = false,
  } = given;
  if (!Number.isInteger(maxProviderName) || maxProviderName < fewestChars || maxProviderName > mostChars) {
    throw new Fault(
      "invalid_options",
      `maxProviderName must be an integer from ${fewestChars} to ${mostChars}, got ${String(maxProviderName)}`,
    );
  }
  if (typeof codeTool !== "string" || !/^[A-Za-z_][\w-]*$/.test(codeTool) || codeTool.length > maxProviderName) {
    const message = `codeTool must be a name of letters, digits, _ and -, at most ${maxProviderName} long, got ${describe(codeTool)}`;
    throw new Fault("invalid_options", message);
  }
  if (typeof logger?.warn !== "function" || typeof logger.error !== "function") {
    throw new Fault("invalid_options", "logger must have the methods warn and error");
  }
  checkIdentity("identity of createDeployment", identity);
  checkDeclaring(declareIn, declarationTokens);
  checkLearning(learnOutputs);
  const redactor = createRedactor(given.secrets);
  return {
    redactor,
    logger: redactedLogger(guarded(logger), redactor),
    codeTool,
    maxProviderName,
    checkerPath,
    roots: Object.freeze(roots.map((root) => resolve(root))),
    identity,
    declareIn,
    declarationTokens,
    learnOutputs,
    lean: readLeanOptions(given.lean),
  };
}

function checkLearning(given: unknown): void {
  if (typeof given === "boolean") return;
  if (!isObject(given)) {
    throw new Fault("invalid_options", `learnOutputs must be true, false or { file }, got ${describe(given)}`);
  }
  checkOptions("learnOutputs", given, { file: "text" });
  checkText("the file of learnOutputs", given.file);
}

function checkDeclaring(declareIn: unknown, tokens: unknown): void {
  if (declareIn !== "codeTool" && declareIn !== "prompt") {
    throw new Fault("invalid_options", `declareIn must be "codeTool" or "prompt", got ${describe(declareIn)}`);
  }
  if (tokens !== Infinity && (!Number.isInteger(tokens) || Number(tokens) < 1)) {
    throw new Fault("invalid_options", `declarationTokens must be an integer from 1, got ${describe(tokens)}`);
  }
}
