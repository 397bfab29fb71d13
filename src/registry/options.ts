import { Fault } from "../errors.ts";
import { guarded, type Logger, silent } from "../log.ts";
import { checkOptions, describe } from "../options.ts";

export interface DeploymentOptions {
  readonly logger?: Logger;
  /** The code tool's name, `run_program` unless given; no tool may have it. */
  readonly codeTool?: string;
  /** Characters that a provider lets a tool's name have, 64 unless given. */
  readonly maxProviderName?: number;
}

const fewestChars = 16;
const mostChars = 256;

export function readDeploymentOptions(given: DeploymentOptions): Required<DeploymentOptions> {
  checkOptions("createDeployment", given, { logger: "anything", codeTool: "anything", maxProviderName: "anything" });
  const { logger = silent, codeTool = "run_program", maxProviderName = 64 } = given;
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
  return { logger: guarded(logger), codeTool, maxProviderName };
}
