// The guest's two bundles: plain script text that defines `guest`, evaluated in an isolate without any module system.
import { join } from "node:path";
import { build } from "esbuild";

const source = join(import.meta.dirname, "../src/runtime/guest");

/** Writes bootstrap.js and url.js into a folder. */
export async function buildGuest(folder: string): Promise<void> {
  await build({
    bundle: true,
    logLevel: "warning",
    target: "node24",
    legalComments: "none",
    entryPoints: { bootstrap: join(source, "bootstrap.ts"), url: join(source, "url.ts") },
    outdir: folder,
    format: "iife",
    globalName: "guest",
    platform: "neutral",
    mainFields: ["module", "main"],
    // What the URL parser gets in place of tables and conversions that a program has no use for.
    alias: {
      "@exodus/bytes/encoding.js": join(source, "percent.ts"),
      "@exodus/bytes/whatwg.js": join(source, "percent.ts"),
      tr46: join(source, "domain.ts"),
      "webidl-conversions": join(source, "webidl.ts"),
    },
    define: { SharedArrayBuffer: "ArrayBuffer" },
    minifyWhitespace: true,
    minifySyntax: true,
  });
}
