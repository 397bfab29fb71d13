import type { StartSystem } from "../system.ts";
import { startWith } from "./codecall.ts";

export const start: StartSystem = startWith((program) => `tenant-${program}`);
