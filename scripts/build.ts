// Builds dist/: the library by tsc, and what runs in processes of its own (sandbox, compiler, typecheck, guest) or thread (checker, store) as single files by esbuild.
// The new folder replaces the old one whole and at the end: a failed build leaves what was there.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, type BuildOptions } from "esbuild";
import { buildGuest } from "./guest.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const from = (path: string): string => join(root, "src", path);

const common: BuildOptions = { bundle: true, logLevel: "warning", target: "node24", legalComments: "none" };

async function buildInto(folder: string): Promise<void> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const options = ["-p", join(root, "tsconfig.build.json"), "--outDir", folder];
  execFileSync(process.execPath, [tsc, ...options], { stdio: "inherit" });
  await Promise.all([
    build({
      ...common,
      entryPoints: {
        sandbox: from("runtime/sandbox-process.ts"),
        compiler: from("runtime/compiler-process.ts"),
        typecheck: from("runtime/typecheck-process.ts"),
        checker: from("registry/checker-worker.ts"),
        store: from("bridge/stores/sqlite-worker.ts"),
      },
      outdir: folder,
      format: "esm",
      platform: "node",
      packages: "external",
    }),
    buildGuest(join(folder, "guest")),
  ]);
  const cli = join(folder, "cli/main.js");
  if (existsSync(cli)) chmodSync(cli, 0o755);
  chmodSync(folder, 0o755);
}

const made = mkdtempSync(join(root, ".dist-"));
const old = `${made}-old`;
try {
  await buildInto(made);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(made, dist);
} finally {
  for (const folder of [made, old]) rmSync(folder, { recursive: true, force: true });
}
