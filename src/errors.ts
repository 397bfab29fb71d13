// Every failure that codecall itself reports has a code from one closed table; its data goes in `details`, never in a new class.

export const codes = {
  // a program
  program_empty: "no program text was given",
  not_a_program: "the text is no TypeScript program",
  syntax_error: "the program does not parse",
  import_not_available: "the program imports a module",
  source_too_large: "the program text is over `sourceBytes`",
  compile_failed: "the compiler gave no answer for this text",
  type_error: "the program is surely wrong against the declarations of its tools",
  program_error: "the program threw",
  deadlock: "the program waits for what can never happen",
  cpu_limit: "the program used up `cpuMs`",
  wall_limit: "the program used up `wallMs`",
  memory_limit: "the program used up `memoryMb`",
  output_limit: "the sandbox process sent more than one program may",
  return_not_json: "the return value is not JSON",
  return_too_large: "the return value cannot leave the sandbox",
  sandbox_crashed: "the sandbox process died",
  replay_diverged: "the program was repeated in another sandbox process and did something else",
  protocol_violation: "the sandbox process broke the protocol",
  // a call
  tool_not_offered: "the call names a tool that is not offered here",
  arguments_not_object: "the arguments are not one object",
  arguments_not_json: "the arguments hold what is not JSON",
  arguments_invalid: "the arguments do not match the input schema",
  arguments_too_large: "the arguments are over `argumentBytes`",
  calls_limit: "the program made more calls than `calls`",
  guard_refused: "a guard gave a reason against the call",
  guard_failed: "a guard threw or did not answer",
  policy_refused: "the policy refused the call",
  policy_cancelled: "the policy cancelled the call",
  policy_failed: "the policy threw or did not answer",
  approval_unavailable: "the call needs an answer and nobody can give one",
  approval_denied: "a person denied the call",
  approval_expired: "nobody answered in time",
  read_only_activity: "the turn only reads, and the call may change something",
  read_outside_fence: "the call reads outside the allowed folders",
  mutate_outside_fence: "the call writes outside the allowed folders",
  path_unusable: "a path among the arguments cannot be looked up",
  path_changed: "a path leads elsewhere now than when the call was checked",
  grant_revoked: "what had allowed the call does not hold any more",
  budget_exhausted: "the turn has used up its budget",
  repeated_call: "the same call was made again and nothing had changed",
  turn_ended: "the turn was ended, and the model makes no more calls in it",
  action_not_found: "the session has no planned action of this id that could still run",
  argument_pinned: "a typed command pins an argument of the call to another value",
  search_repeated: "the turn already made that search",
  direct_call_refused: "only the code tool can be called directly here",
  tool_error: "the tool reported a failure",
  transient: "the tool failed for the moment",
  internal_error: "the tool broke; the cause is in the host's log",
  call_timeout: "the tool used up `callMs`",
  call_cancelled: "the call was cancelled before it started",
  call_aborted: "the call was signalled to stop while it ran",
  result_invalid: "the result does not match the output schema",
  result_not_json: "the result holds what is not JSON",
  result_too_large: "the result is over `resultBytes`",
  retries_exhausted: "the tool went on failing for the moment, however often it was tried",
  reference_unknown: "the session has no such reference",
  reference_expired: "what the reference stood for is not kept any more",
  reference_too_large: "what a reference is to stand for is more than a session keeps",
  path_not_found: "what the reference stands for has nothing at that path",
  source_disconnected: "the server behind the tool is gone",
  source_answer_invalid: "the server behind the tool answered with what is no result",
  // the host
  aborted: "the host's signal ended the program",
  runtime_closed: "the runtime is closed",
  session_closed: "the session or turn is closed",
  overloaded: "too many programs are waiting",
  sandbox_unavailable: "no sandbox process could be started",
  invalid_options: "an option is not what it must be",
  invalid_tool: "a tool definition is not what it must be",
  schema_unsupported: "a schema gives no JSON Schema",
  duplicate_tool: "the name is taken in this scope",
  duplicate_guard: "the name is taken in this scope",
  duplicate_source: "the name is taken in this scope",
  duplicate_command: "the name is taken in this scope",
  duplicate_skill: "the name is taken in this scope",
  duplicate_section: "the name is taken in this scope",
  duplicate_instruction: "the scope has that part of its instructions already",
  reserved_name: "the name belongs to codecall",
  scope_disposed: "the scope is disposed",
  prompt_invalid: "the parts of the prompt do not fit together",
  prompt_failed: "a function that gives a part of the prompt failed or did not answer",
  cannot_start: "a composition misses something it needs",
  composed_twice: "a composition was given the same thing twice",
  composition_started: "a composition was given something after its start",
  invalid_config: "the configuration is not what it must be",
  source_failed: "a source of tools could not be reached",
  // a store
  // going on with a run
  outcome_unknown: "it is not known whether the write took effect, so it is not made again",
  run_not_resumable: "the run is none that can go on",
  approval_not_found: "the run has put no question about the call",
  surface_changed: "the run began with other tools",
  engine_changed: "the run began on another engine",
  run_exists: "the store has a run of this id",
  run_not_found: "the store has no run of this id for this tenant",
  run_claimed: "another owner holds the run",
  request_not_reserved: "a request is settled that nobody reserved",
  store_fenced: "somebody else has gone on with the run",
  store_conflict: "the document has changed since it was read",
  store_full: "the store has no room left",
  store_read_only: "the store cannot be written",
  store_locked: "somebody else holds the store for too long",
  store_corrupt: "the store is damaged, or no store at all",
  store_newer: "a newer version of codecall wrote the store",
  store_unavailable: "the store cannot be reached",
  store_tampered: "what the store holds is not what was written",
  store_key_wrong: "the store was written with another key, or with none",
  store_closed: "the store or the log is closed",
} as const;

export type Code = keyof typeof codes;

export interface FaultOptions {
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** The one base of what codecall throws; `code` is one of `codes`, or a tool's own. */
export class Fault extends Error {
  override readonly name: string = "Fault";
  readonly code: string;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: Code | (string & {}), message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
  }
}

/** An expected failure: thrown by a tool, its message, code, hint and JSON details reach the program and the model as they are. */
export class ToolError extends Fault {
  override readonly name: string = "ToolError";

  constructor(message: string, options: FaultOptions & { readonly code?: string } = {}) {
    super(options.code ?? "tool_error", message, options);
  }
}

/**
 * A failure that may pass by itself: where the call may be made twice, it is tried again, after `retryAfterMs` at the earliest.
 * It says that nothing took effect; where that is not sure, throw another error.
 */
export class TransientError extends ToolError {
  override readonly name: string = "TransientError";
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: FaultOptions & { readonly code?: string; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message, { ...options, code: options.code ?? "transient" });
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What a program, a record and a model see of a failure: data, without stack or cause. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: unknown;
}

/** The message of anything thrown, never throwing itself. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return String(thrown.message);
    return String(thrown);
  } catch {
    return "unprintable error";
  }
}
