import { everything } from "../json-bounds.ts";
import { canonicalJson, JsonError, type JsonValue, parseJson, toJson } from "../../json.ts";
import type { CallView } from "../../registry/policy.ts";
import type { Parsed } from "../../registry/schema.ts";
import type { OfferedTool } from "../../registry/surface.ts";
import type { Call, Stage, StepState } from "../call.ts";
import { deepFreeze } from "../freeze.ts";
import { cancelled, type Outcome, refuse } from "../outcome.ts";
import { spendSteps } from "../../turns.ts";
import { andThen, waitFor } from "./waiting.ts";

/** Characters that are parsed in one step. */
const charsOfStep = 6;

/** The host may call whatever is there; programs and models what is meant for them. */
const mayCall = (call: Call, { tool }: OfferedTool): boolean =>
  call.asked.caller === "host" || tool.callers.includes(fromProgram(call) ? "code" : "direct");

const fromProgram = ({ asked }: Call): boolean => asked.caller === "program" || asked.caller === "tool";

/** What whoever made the call knows the tool by. */
export const shownName = (call: Call, tool: OfferedTool): string => (fromProgram(call) ? accessor(tool) : tool.name);

const accessor = (tool: OfferedTool): string => `tools.${tool.alias ?? tool.name}`;

/** Puts the call into the journal, in the order asked. */
export const begin: Stage = (call, step) => {
  const offered = step.surface.find(call.asked.name);
  if (offered !== undefined) call.offered = offered;
  step.log.append({
    kind: "ask",
    call: call.number,
    ...(call.asked.seq === undefined ? {} : { seq: call.asked.seq }),
    ...(call.parent === undefined ? {} : { parent: call.parent.number }),
    caller: call.asked.caller,
    tool: offered?.name ?? call.asked.name,
    source: offered?.tool.source ?? "",
    args: call.asked.args,
    at: Date.now(),
  });
  step.emit({ type: "call.requested", callId: call.id, tool: offered?.name ?? call.asked.name, args: call.asked.args });
  return undefined;
};

/** Looks the tool up and reads the arguments, once for all later stages; what does not parse fails in `validate`. */
export const offered: Stage = (call, step) => {
  if (step.maxCalls !== undefined && call.number > step.maxCalls) {
    return refuse("calls_limit", `the program made more than ${step.maxCalls} calls, which is its limit`);
  }
  const tool = call.offered;
  if (tool === undefined || !mayCall(call, tool)) return notOffered(call, step);
  if (call.asked.unusable !== undefined) return refuse(call.asked.unusable.code, call.asked.unusable.message);
  const bytes = Buffer.byteLength(call.asked.args);
  if (bytes > step.limits.argumentBytes) {
    const message = `the arguments of ${tool.name} are ${bytes} bytes of JSON; the limit is ${step.limits.argumentBytes}`;
    return refuse("arguments_too_large", message, { details: { bytes } });
  }
  let sent: JsonValue;
  try {
    sent = parseJson(call.asked.args);
    spendSteps(call.asked.args.length / charsOfStep);
  } catch {
    return refuse("arguments_not_json", `the arguments of ${tool.name} are not JSON: ${call.asked.args.slice(0, 100)}`);
  }
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return notAnObject(call, tool, sent);
  call.sent = sent;
  const next = (): ReturnType<Stage> => parse(call, step, tool, sent);
  const freezing = deepFreeze(sent);
  return freezing === undefined ? next() : freezing.then(next);
};

function parse(call: Call, step: StepState, tool: OfferedTool, sent: JsonValue): ReturnType<Stage> {
  const timeoutMs = tool.tool.definition.timeoutMs ?? step.limits.callMs;
  const given = { text: call.asked.args, signal: () => call.controller().signal };
  const parsing = waitFor(call, () => tool.tool.input.parse(sent, given), timeoutMs);
  return andThen<Parsed, Outcome | undefined>(parsing, (waited) => {
    if (waited.kind === "value") return accept(call, step, tool, waited.value);
    if (waited.kind === "stopped") return cancelled(call);
    if (waited.kind === "threw") step.logger.error("an input schema threw", { callId: call.id, cause: waited.error });
    const why = waited.kind === "late" ? ` within ${timeoutMs} ms on the tool clock` : "";
    return refuse("arguments_invalid", `the arguments of ${tool.name} could not be checked${why}`);
  });
}

function accept(call: Call, step: StepState, tool: OfferedTool, parsed: Parsed): undefined | Promise<undefined> {
  call.parsed = parsed;
  call.args = parsed.ok ? parsed.value : call.sent;
  call.view = viewOf(call, step, tool);
  return deepFreeze(call.args)?.then(() => undefined);
}

function viewOf(call: Call, step: StepState, { name, tool }: OfferedTool): CallView {
  return {
    name,
    source: tool.source,
    originalName: tool.originalName,
    args: call.args,
    effects: tool.effects,
    requiresApproval: tool.definition.requiresApproval === true,
    via: fromProgram(call) ? "code" : "direct",
    callId: call.id,
    tenant: step.tenant,
    identity: step.identity,
    services: step.services,
    get signal() {
      return call.controller().signal;
    },
  };
}

function notOffered(call: Call, step: StepState): Outcome {
  const { name } = call.asked;
  const near = step.suggest(name).filter((other) => {
    const tool = step.surface.find(other);
    return tool !== undefined && mayCall(call, tool);
  });
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : whatThereIs(call, step);
  return refuse("tool_not_offered", `no tool "${shown}" is offered here`, {
    hint,
    details: { name: shown, nearest: near },
  });
}

function whatThereIs(call: Call, step: StepState): string {
  const names = step.surface.tools.filter((tool) => mayCall(call, tool)).map(({ name }) => name);
  if (names.length === 0) return "no tools are offered here";
  return `the tools are ${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}`;
}

function notAnObject(call: Call, tool: OfferedTool, sent: JsonValue): Outcome {
  const came = sent === null ? "null" : Array.isArray(sent) ? "an array" : `a ${typeof sent}`;
  const names = Object.keys((tool.tool.input.json.properties as Record<string, unknown> | undefined) ?? {}).slice(0, 5);
  const args = names.length > 0 ? `{ ${names.map((name) => `${JSON.stringify(name)}: …`).join(", ")} }` : "{}";
  const example = fromProgram(call) ? `${accessor(tool)}(${args})` : `${tool.name} with the arguments ${args}`;
  return refuse(
    "arguments_not_object",
    `${tool.name} takes one object of named arguments, and ${came} came; call it again as ${example}`,
  );
}

/** The arguments that ran, where the tool's own schema made something else of what was sent. */
export function ranArguments(call: Call): string | undefined {
  if (call.parsed?.ok !== true || call.parsed.value === call.sent) return undefined;
  try {
    const text = toJson(call.args, everything);
    const isSame = text === call.asked.args || canonicalJson(parseJson(text)) === canonicalJson(call.sent ?? null);
    return isSame ? undefined : text;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
