import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where codecall keeps what outlasts a process: `codecall` in `$XDG_STATE_HOME`, else in `~/.local/state`. */
export function stateFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const { XDG_STATE_HOME: home } = env;
  return join(home !== undefined && isAbsolute(home) ? home : join(homedir(), ".local", "state"), "codecall");
}
