#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { identity } from "../mcp/identity.ts";
import { doctor } from "./doctor.ts";
import { run, type RunOptions } from "./run.ts";
import { serve } from "./serve.ts";
import { type Stdio, takeStdio } from "./stdio.ts";
import { exits, noteFailure } from "./terminal.ts";
import { types } from "./types.ts";

const configOption = ["--config <file>", "the one configuration file that is read"] as const;

function commands(stdio: Stdio, done: (code: number) => void): Command {
  const program = new Command("codecall")
    .description("Runs programs that a model writes against typed tools, in a sandbox, with every call recorded.")
    .version(identity.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdio.result.write(text),
      writeErr: (text) => void process.stderr.write(text),
    })
    .showHelpAfterError("(codecall --help lists the commands)");
  program
    .command("run")
    .description("run one program: its value goes to stdout, everything else to stderr")
    .argument("<file>", "the program's file, or - for stdin")
    .option(...configOption)
    .option("--json", "print one RunResult as JSON in place of the value; where no program can run, nothing")
    .action(async (file: string, options: RunOptions) => done(await run(file, options, stdio)));
  program
    .command("types")
    .description("print the declarations that programs are written against")
    .requiredOption(...configOption)
    .action(async (options: { config: string }) => done(await types(options, stdio)));
  program
    .command("serve")
    .description("be an MCP server on stdin and stdout that offers the code tool over all configured tools")
    .requiredOption(...configOption)
    .action(async (options: { config: string }) => done(await serve(options, stdio)));
  program
    .command("doctor")
    .description("check this machine, and a configuration with its servers")
    .option(...configOption)
    .option("--json", "print the findings as JSON")
    .action(async (options: { config?: string; json?: boolean }) => done(await doctor(options, stdio)));
  return program;
}

async function main(stdio: Stdio): Promise<number> {
  if (Number.parseInt(process.versions.node, 10) < 24 && !process.argv.includes("doctor")) {
    stdio.notes.fail(`codecall needs Node 24 or newer, and this is ${process.versions.node}`);
    return exits.usage;
  }
  let code: number = exits.completed;
  try {
    await commands(stdio, (given) => {
      code = given;
    }).parseAsync();
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exits.completed : exits.usage;
    return noteFailure(stdio.notes, error);
  }
}

const stdio = takeStdio();
const code = await main(stdio);
await stdio.flush();
// A configured module may hold the process open by a timer or a socket of its own.
process.exit(code);
