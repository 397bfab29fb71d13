import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixture } from "../mcp/fixtures/run.ts";

const main = join(import.meta.dirname, "../../dist/cli/main.js");

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Processes of the command's own group that outlived it. */
  readonly left: readonly string[];
}

export interface Started {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves once stderr holds the text. */
  said(text: string): Promise<void>;
}

/** Starts the built command in a process group of its own; without an input its stdin stays open. */
export function start(
  args: readonly string[],
  input: string | null = "",
  env: Readonly<Record<string, string>> = {},
): Started {
  const child = spawn(process.execPath, [main, ...args], {
    detached: true,
    env: { ...process.env, NO_COLOR: "1", ...env },
  });
  let stdout = "";
  let stderr = "";
  const waiting = new Set<() => void>();
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const check of waiting) check();
  });
  if (input !== null) child.stdin.end(input);
  const finished = new Promise<Finished>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr, left: groupMembers(child.pid ?? 0) }));
  });
  return {
    child,
    finished,
    said: (text) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (stderr.includes(text)) resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

export const cli = (args: readonly string[], input?: string): Promise<Finished> => start(args, input).finished;

/** A folder of its own with the given files, removed by the system. */
export function folderWith(files: Readonly<Record<string, string | object>>): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "codecall-cli-"));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return (name) => join(folder, name);
}

/** Makes a named pipe. */
export function makePipe(path: string): void {
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
}

/** A configuration entry for a fixture server; the mark finds its processes. */
export function server(name: string, ...args: readonly string[]): { command: string; args: readonly string[] } {
  return { command: process.execPath, args: [fixture(name), ...args] };
}

function groupMembers(group: number): string[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [state, , pgrp] = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      if (Number(pgrp) !== group || state === "Z") return [];
      // A process that is about to end has no command line any more.
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return line === "" ? [] : [line];
    } catch {
      return [];
    }
  });
}
