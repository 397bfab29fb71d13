import type { Stage } from "./call.ts";
import { begin, offered } from "./stages/admit.ts";
import { approve } from "./stages/approve.ts";
import { check, guard } from "./stages/decide.ts";
import { execute, schedule } from "./stages/execute.ts";
import { settle } from "./stages/settle.ts";
import { validate, validateResult } from "./stages/validate.ts";

/** What every call goes through, whoever makes it and from wherever: none is skipped but by an outcome, which leads to `settle`. */
export const stages: readonly { readonly name: string; readonly run: Stage }[] = [
  { name: "begin", run: begin },
  { name: "offered", run: offered },
  { name: "check", run: check },
  { name: "guard", run: guard },
  { name: "validate", run: validate },
  { name: "approve", run: approve },
  { name: "schedule", run: schedule },
  { name: "execute", run: execute },
  { name: "validate result", run: validateResult },
  { name: "settle", run: settle },
];
