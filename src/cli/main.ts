#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { messageOf } from "../errors.ts";
import { identity } from "../mcp/identity.ts";
import { approve, type ApproveOptions } from "./approve.ts";
import type { DoctorOptions } from "./doctor.ts";
import { type Interruption, watchProcess } from "./interrupt.ts";
import { forms, prompt, type PromptOptions } from "./prompt.ts";
import { records, type RecordsOptions } from "./records.ts";
import { resume, type ResumeOptions } from "./resume.ts";
import { run, type RunOptions } from "./run.ts";
import { search, searchKinds, type SearchOptions } from "./search.ts";
import { type Stdio, takeStdio } from "./stdio.ts";
import { exits, noteFailure } from "./terminal.ts";
import { types, type TypesOptions } from "./types.ts";

const configOption = ["--config <file>", "the one configuration file that is read"] as const;

const storeOption = [
  "--store <address>",
  "sqlite:FILE or postgres://…; that of the configuration unless given",
] as const;
const tenantOption = ["--tenant <name>", "whose runs; those of the command line unless given"] as const;

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
    .option("--check <mode>", "what is surely wrong in the program's types: off, warn or refuse")
    .action(async (file: string, options: RunOptions) => done(await run(file, options, stdio, interruption)));
  program
    .command("resume")
    .description("go on with a run that was suspended, or lost with its process; what it did already is not done again")
    .argument("<run>", "the run's id")
    .requiredOption(...configOption)
    .option("--answer <callid=answer...>", "answers to what it asked: allow, deny, or an object as JSON")
    .option("--force", "go on although engine or tools are others than when it began")
    .option(...tenantOption)
    .option("--json", "print one RunResult as JSON in place of the value")
    .action(async (runId: string, options: ResumeOptions) => done(await resume(runId, options, stdio, interruption)));
  program
    .command("approve")
    .description("answer what a run asked; it goes on with resume, here or wherever it is run")
    .argument("<run>", "the run's id")
    .argument("<callid>", "the id of the call that waits")
    .argument("<answer>", "allow or deny")
    .option("--reason <text>", "why, for whoever wrote the program")
    .option("--by <name>", "who answers")
    .option(...configOption)
    .option(...storeOption)
    .option(...tenantOption)
    .action(async (runId: string, callId: string, answer: string, options: ApproveOptions) =>
      done(await approve(runId, callId, answer, options, stdio)),
    );
  program
    .command("records")
    .description("print the runs of a store, newest first, or the calls of one")
    .option("--run <id>", "the calls of this run")
    .option("--session <id>", "only runs of this session")
    .option("--limit <count>", "how many runs at most", count, 100)
    .option(...configOption)
    .option(...storeOption)
    .option(...tenantOption)
    .option("--json", "print the record of the runs, one call a line, as JSON")
    .action(async (options: RecordsOptions) => done(await records(options, stdio)));
  program
    .command("types")
    .description("print the declarations that programs are written against")
    .requiredOption(...configOption)
    .option("--budget <tokens>", "as much of the catalogue as fits, four characters a token", count)
    .option("--tool <name...>", "only these tools")
    .option("--json", "print the declarations, and how many tools they show, as JSON")
    .action(async (options: TypesOptions) => done(await types(options, stdio, interruption)));
  program
    .command("prompt")
    .description("print the text that a model is told, the declarations included, and the tokens of each part")
    .requiredOption(...configOption)
    .option("--model <name>", "the model that is told")
    .addOption(new Option("--form <form>", "that of the configuration unless given").choices(forms))
    .option("--json", "print the text, its parts and their tokens as JSON")
    .action(async (options: PromptOptions) => done(await prompt(options, stdio, interruption)));
  program
    .command("search")
    .description("print the tools that answer a question, best first")
    .argument("<query>", "what is looked for: words, or the name of a tool")
    .requiredOption(...configOption)
    .addOption(new Option("--kind <kind>", "what is looked for").choices(searchKinds).default("any"))
    .option("--limit <count>", "how many at most", count, 5)
    .option("--json", "print the hits as JSON")
    .action(async (query: string, options: SearchOptions) => done(await search(query, options, stdio, interruption)));
  program
    .command("serve")
    .description("be an MCP server on stdin and stdout that offers the code tool over all configured tools")
    .requiredOption(...configOption)
    .action(async (options: { config: string }) => {
      const { serve } = await import("./serve.ts");
      done(await serve(options, stdio, interruption));
    });
  program
    .command("doctor")
    .description("check this machine, and a configuration with its servers")
    .option(...configOption)
    .option("--json", "print the findings as JSON")
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import("./doctor.ts");
      done(await doctor(options, stdio, interruption));
    });
  return program;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number over 0.");
  return Number(text);
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
