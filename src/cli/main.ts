#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { messageOf } from "../errors.ts";
import { identity } from "../mcp/identity.ts";
import { doctor } from "./doctor.ts";
import { type Interruption, watchProcess } from "./interrupt.ts";
import { run, type RunOptions } from "./run.ts";
import { serve } from "./serve.ts";
import { type Stdio, takeStdio } from "./stdio.ts";
import { exits, noteFailure } from "./terminal.ts";
import { types } from "./types.ts";

const configOption = ["--config <file>", "the one configuration file that is read"] as const;

function commands(stdio: Stdio, interruption: Interruption, done: (code: number) => void): Command {
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
    .action(async (file: string, options: RunOptions) => done(await run(file, options, stdio, interruption)));
  program
    .command("types")
    .description("print the declarations that programs are written against")
    .requiredOption(...configOption)
    .action(async (options: { config: string }) => done(await types(options, stdio, interruption)));
  program
    .command("serve")
    .description("be an MCP server on stdin and stdout that offers the code tool over all configured tools")
    .requiredOption(...configOption)
    .action(async (options: { config: string }) => done(await serve(options, stdio, interruption)));
  program
    .command("doctor")
    .description("check this machine, and a configuration with its servers")
    .option(...configOption)
    .option("--json", "print the findings as JSON")
    .action(async (options: { config?: string; json?: boolean }) => done(await doctor(options, stdio, interruption)));
  return program;
}

async function main(stdio: Stdio, interruption: Interruption): Promise<number> {
  if (Number.parseInt(process.versions.node, 10) < 24 && !process.argv.includes("doctor")) {
    stdio.notes.fail(`codecall needs Node 24 or newer, and this is ${process.versions.node}`);
    return exits.usage;
  }
  let code: number = exits.completed;
  try {
    await commands(stdio, interruption, (given) => {
      code = given;
    }).parseAsync();
    return interruption.code() ?? code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exits.completed : exits.usage;
    return noteFailure(stdio.notes, error);
  }
}

const stdio = takeStdio();
const interruption = watchProcess(stdio.notes);
const code = await main(stdio, interruption);
const failure = await stdio.flush();
if (failure !== undefined) stdio.notes.fail(`the result could not be written: ${messageOf(failure)}`);
const isGood = code === exits.completed || code === exits.suspended;
// A configured module may hold the process open by a timer or a socket of its own.
interruption.exit(failure !== undefined && isGood ? exits.failed : code);
