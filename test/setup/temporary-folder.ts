import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** All that tests leave in the temporary folder goes with the run. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "codecall-test-"));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
