import { everything } from "../json-bounds.ts";
import { canonicalJson, JsonError, type JsonValue, parseJson, toJson } from "../../json.ts";
import { bounds } from "../../limits.ts";
import type { CallPaths, CallView } from "../../registry/policy.ts";
import type { Parsed } from "../../registry/schema.ts";
import type { OfferedTool } from "../../registry/surface.ts";
import type { Call, Stage, StepState } from "../call.ts";
import { providedTool } from "../results.ts";
import { decide } from "./decide.ts";
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
export const shownName = (call: Call, tool: OfferedTool): string =>
  fromProgram(call) && call.asked.provided !== true ? accessor(tool) : tool.name;

const accessor = (tool: OfferedTool): string => `tools.${tool.alias ?? tool.name}`;

/** Puts the call into the journal, in the order asked. */
export const begin: Stage = (call, step) => {
  const { name, provided, repeats } = call.asked;
  const offered = provided === true ? providedTool(name) : step.surface.find(name);
  if (offered !== undefined) call.offered = offered;
  if (call.recorded !== undefined) return undefined;
  step.log.append({
    kind: "ask",
    call: call.number,
    ...(call.asked.seq === undefined ? {} : { seq: call.asked.seq }),
    ...(call.parent === undefined ? {} : { parent: call.parent.number }),
    caller: call.asked.caller,
    tool: offered?.name ?? call.asked.name,
    source: offered?.tool.source ?? "",
    ...(offered === undefined || offered.tool.originalName === offered.name
      ? {}
      : { original: offered.tool.originalName }),
    args: call.asked.args,
    ...(repeats === undefined ? {} : { repeats: repeats.callId }),
    at: Date.now(),
  });
  step.emit({ type: "call.requested", callId: call.id, tool: offered?.name ?? call.asked.name, args: call.asked.args });
  return repeats === undefined ? undefined : takeFirst(call, step, repeats);
};

/** The model made the same call again: nothing runs, and the first one's outcome is this one's too. */
async function takeFirst(call: Call, step: StepState, { callId, outcome }: Repeats): Promise<Outcome> {
  const sentence = `the same call was made before in this turn: ${callId}`;
  decide(call, step, "allow", "deduplicated", sentence);
  return outcome;
}

type Repeats = NonNullable<Call["asked"]["repeats"]>;

/** Looks the tool up and reads the arguments, once for all later stages; what does not parse fails in `validate`. */
export const offered: Stage = (call, step) => {
  if (step.maxCalls !== undefined && call.number > step.maxCalls) {
    return refuse("calls_limit", `the program made more than ${step.maxCalls} calls, which is its limit`);
  }
  const spent = step.authority?.admit(call, step);
  if (spent !== undefined) return spent;
  const tool = call.offered;
  if (step.codeToolAlone !== undefined && call.asked.caller === "model")
    return notDirect(call, step, step.codeToolAlone);
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

function accept(call: Call, step: StepState, tool: OfferedTool, parsed: Parsed): ReturnType<Stage> {
  call.parsed = parsed;
  call.args = parsed.ok ? parsed.value : call.sent;
  const show = (): undefined | Promise<undefined> => {
    call.view = viewOf(call, step, tool);
    return deepFreeze(call.args)?.then(() => undefined);
  };
  const { authority } = step;
  if (authority === undefined || !parsed.ok) return show();
  return andThen<Outcome | undefined, Outcome | undefined>(
    waitFor(call, () => authority.locate(call), bounds.guardMs),
    (waited) => {
      if (waited.kind === "value") return waited.value ?? show();
      if (waited.kind === "stopped") return cancelled(call);
      if (waited.kind === "threw")
        step.logger.error("looking paths up failed", { callId: call.id, cause: waited.error });
      return refuse("path_unusable", `the paths among the arguments of ${tool.name} could not be looked up`);
    },
  );
}

const noPaths: CallPaths = Object.freeze({ read: Object.freeze([]), write: Object.freeze([]) });

function viewOf(call: Call, step: StepState, { name, tool }: OfferedTool): CallView {
  return {
    name,
    source: tool.source,
    originalName: tool.originalName,
    args: call.args,
    sent: call.sent,
    effects: tool.effects,
    requiresApproval: tool.definition.requiresApproval === true,
    paths: call.paths ?? noPaths,
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
  const near = nearNames(name, step, (tool) => mayCall(call, tool));
  const shown = shorten(name);
  const hint =
    // What is there and not for this caller would be found again in vain.
    (call.offered === undefined ? step.surface.bound?.hint(name) : undefined) ??
    (near.length > 0 ? `did you mean ${near.join(" or ")}?` : whatThereIs(call, step));
  return refuse("tool_not_offered", `no tool "${shown}" is offered here`, {
    hint,
    details: { name: shown, nearest: near },
  });
}

/** The same of every name, known or not; only what is known to programs is named in the hint. */
function notDirect({ asked: { name }, offered: tool }: Call, step: StepState, codeTool: string): Outcome {
  const message = `only ${codeTool} can be called directly here; reach other tools from inside a program`;
  if (tool !== undefined && isForPrograms(tool)) {
    const hint = `call ${codeTool} with code such as: return await ${accessor(tool)}({ ... })`;
    return refuse("direct_call_refused", message, { hint });
  }
  const near = nearNames(name, step, isForPrograms).map((other) => `tools.${other}`);
  const next =
    near.length > 0 ? `did you mean ${near.join(" or ")}?` : "Object.keys(tools) in a program lists those that are";
  return refuse("direct_call_refused", message, {
    hint: `no tool ${JSON.stringify(shorten(name))} is offered to programs; ${next}`,
  });
}

const isForPrograms = ({ tool }: OfferedTool): boolean => tool.callers.includes("code");

const nearNames = (name: string, step: StepState, fits: (tool: OfferedTool) => boolean): readonly string[] =>
  step.suggest(name).filter((other) => {
    const tool = step.surface.find(other);
    return tool !== undefined && fits(tool);
  });

const shorten = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name);

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

/** The arguments that ran, where the tool's own schema, its paths or a person made something else of what was sent. */
export function ranArguments(call: Call): string | undefined {
  const { replaced = call.asked.args } = call;
  if (call.parsed?.ok !== true || (call.args === call.sent && call.replaced === undefined)) return undefined;
  try {
    const text = toJson(call.args, everything);
    const isSame = text === replaced || canonicalJson(parseJson(text)) === canonicalJson(parseJson(replaced));
    return isSame ? undefined : text;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
