#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { identity } from "../mcp/identity.ts";
import { doctor } from "./doctor.ts";
import { run, type RunOptions } from "./run.ts";
import { serve } from "./serve.ts";
import { createNotes, exits, noteFailure } from "./terminal.ts";
import { types } from "./types.ts";

const configOption = ["--config <file>", "the one configuration file that is read"] as const;

function commands(done: (code: number) => void): Command {
  const program = new Command("codecall")
    .description("Runs programs that a model writes against typed tools, in a sandbox, with every call recorded.")
    .version(identity.version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => process.stdout.write(text), writeErr: (text) => process.stderr.write(text) })
    .showHelpAfterError("(codecall --help lists the commands)");
  program
    .command("run")
    .description("run one program: its value goes to stdout, everything else to stderr")
    .argument("<file>", "the program's file, or - for stdin")
    .option(...configOption)
    .option("--json", "print one RunResult as JSON in place of the value")
    .action(async (file: string, options: RunOptions) => done(await run(file, options)));
  program
    .command("types")
    .description("print the declarations that programs are written against")
    .requiredOption(...configOption)
    .action(async (options: { config: string }) => done(await types(options)));
  program
    .command("serve")
    .description("be an MCP server on stdin and stdout that offers the code tool over all configured tools")
    .requiredOption(...configOption)
    .action(async (options: { config: string }) => done(await serve(options)));
  program
    .command("doctor")
    .description("check this machine, and a configuration with its servers")
    .option(...configOption)
    .option("--json", "print the findings as JSON")
    .action(async (options: { config?: string; json?: boolean }) => done(await doctor(options)));
  return program;
}

async function main(): Promise<number> {
  if (Number.parseInt(process.versions.node, 10) < 24 && !process.argv.includes("doctor")) {
    createNotes().fail(`codecall needs Node 24 or newer, and this is ${process.versions.node}`);
    return exits.usage;
  }
  let code: number = exits.completed;
  try {
    await commands((given) => {
      code = given;
    }).parseAsync();
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exits.completed : exits.usage;
    return noteFailure(createNotes(), error);
  }
}

// A reader that goes away early (a pager, `head`) is no failure of ours.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
const code = await main();
// A configured module may hold the process open by a timer or a socket of its own.
for (const stream of [process.stdout, process.stderr]) await new Promise((resolve) => stream.write("", resolve));
process.exit(code);
