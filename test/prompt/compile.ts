import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
const flags = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024", "--types", ""];

/** What `tsc --strict` says of some files, each a module of its own: one line an error. */
export function compileErrors(files: Readonly<Record<string, string>>): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "codecall-types-"));
  try {
    const names = Object.keys(files);
    for (const name of names) writeFileSync(join(folder, name), `${files[name]}\nexport {};\n`);
    const { stdout, status, error } = spawnSync(process.execPath, [tsc, ...flags, ...names], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 67_108_864,
    });
    if (error !== undefined) throw error;
    const lines = stdout.split("\n").filter((line) => line.includes("error TS"));
    if (status !== 0 && lines.length === 0) throw new Error(`tsc ended with ${String(status)}: ${stdout}`);
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
