import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startHost } from "../host.ts";
import { descendants, processMb } from "../memory.ts";
import { type Case, time } from "../row.ts";

const coldScript = fileURLToPath(new URL("../cold.ts", import.meta.url));

/** From nothing to the first value, in this process and in a new one. */
export async function cold(): Promise<Case> {
  return {
    name: "cold",
    rounds: 7,
    rows: [
      {
        name: "new runtime to first value",
        unit: "ms",
        async sample() {
          const start = performance.now();
          await using host = await startHost();
          await host.run("1 + 1", 2);
          return performance.now() - start;
        },
      },
      {
        name: "new process to its end, one value",
        unit: "ms",
        sample: () => time(async () => execFileSync(process.execPath, [coldScript])),
      },
    ],
    close: () => Promise.resolve(),
  };
}

/** Private memory of all processes of a runtime that has run one program and now waits; Linux only. */
export async function memory(): Promise<Case> {
  const host = await startHost();
  const linux = process.platform === "linux";
  return {
    name: "memory",
    rounds: 3,
    rows: linux
      ? [
          {
            name: "idle runtime, all its processes",
            unit: "MB",
            async sample() {
              await host.run("1 + 1", 2);
              return descendants(process.pid).reduce((sum, pid) => sum + processMb(pid, "Private"), 0);
            },
          },
        ]
      : [],
    close: () => host[Symbol.asyncDispose](),
  };
}
