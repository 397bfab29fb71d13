import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

const windows = process.platform === "win32";
const inherited = windows
  ? [
      "APPDATA",
      "COMSPEC",
      "HOMEDRIVE",
      "HOMEPATH",
      "LOCALAPPDATA",
      "PATH",
      "PATHEXT",
      "PROGRAMFILES",
      "SYSTEMROOT",
      "TEMP",
      "USERPROFILE",
    ]
  : ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];

/** What a server's process sees: the variables every program needs, and those the configuration gives; no secret of the host's. */
export function serverEnvironment(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of inherited) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return { ...env, ...given };
}

/** Finds the file that a command names, as the system would; undefined when there is none that can be run. */
export function findCommand(command: string, env: Readonly<Record<string, string>>, cwd: string): string | undefined {
  const endings = windows ? ["", ...(env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";")] : [""];
  const named = command.includes("/") || (windows && command.includes("\\")) || isAbsolute(command);
  const folders = named ? [cwd] : (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const folder of folders) {
    for (const ending of endings) {
      const path = named ? resolve(folder, command + ending) : join(folder, command + ending);
      if (isProgram(path)) return path;
    }
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
