import { type Agent, joinAgent } from "./agent/agent.ts";
import type { DeploymentOptions } from "./registry/options.ts";
import { createScopes, type Scope as RegistryScope } from "./registry/scope.ts";
import type { Composition as RegistryComposition } from "./registry/composition.ts";
import { type Runtime, whyUnfit } from "./runtime/runtime.ts";

export type Scope = RegistryScope<Runtime, Agent>;
export type Composition = RegistryComposition<Runtime, Agent>;

/** The outermost scope, in which tools, sources, guards and agents are registered. */
export function createDeployment(options: DeploymentOptions = {}): Scope {
  return createScopes<Runtime, Agent>({ ...options, join: joinAgent, unfit: whyUnfit });
}

export type { Agent } from "./agent/agent.ts";
export type { DispatchBlock, ToolUse, ToolUseResult } from "./agent/tool-use.ts";
export type { CallOutcome } from "./agent/outcome.ts";
export type { Session, SessionOptions } from "./agent/session.ts";
export type { CallOptions, DispatchOptions, RunOptions, Turn, TurnOptions } from "./agent/turn.ts";
export type { ModelTool } from "./agent/model-tool.ts";
export type { TurnSurface } from "./agent/view.ts";
export type { ApprovalCard, ApprovalItem, AskHost } from "./bridge/answers.ts";
export type { EffectState, Status } from "./bridge/outcome.ts";
export type { Reference } from "./bridge/references.ts";
export { fromJsonl, type RecordEntry, toJsonl } from "./bridge/record.ts";
export { encrypted } from "./bridge/stores/encrypted.ts";
export { memoryStore } from "./bridge/stores/memory.ts";
export { type SqliteOptions, sqliteStore } from "./bridge/stores/sqlite.ts";
export type {
  Claimant,
  Content,
  Document,
  DocumentNote,
  NewRun,
  Purged,
  PurgeFilter,
  RequestWrite,
  Reservation,
  RunFilter,
  RunStatus,
  RunSummary,
  Store,
  StoredRun,
  Write,
  Written,
} from "./bridge/stores/store.ts";
export { type Code, codes, type Failure, Fault, type FaultOptions, ToolError, TransientError } from "./errors.ts";
export { conversions, type JsonObject, type JsonValue } from "./json.ts";
export { type LimitName, type Limits, limitTable } from "./limits.ts";
export type { Logger } from "./log.ts";
export type { Dropped, Truncation } from "./preview.ts";
export type { PromptPart } from "./prompt/assemble.ts";
export type { Prompt, PromptMessage } from "./prompt/history.ts";
export type { CommandCase, CommandOptions, CommandSet, Pins } from "./registry/command.ts";
export type { ActivityTools, LeanOptions } from "./registry/lean-options.ts";
export type { SkillKind, SkillOptions } from "./registry/skills.ts";
export type { BudgetOptions } from "./policy/budget.ts";
export type { Grant, ToolIdentity } from "./policy/grants.ts";
export type { PlannedAction } from "./policy/planned.ts";
export { proposeAction } from "./policy/propose-action.ts";
export { requestCapability } from "./policy/request-capability.ts";
export { stockPolicy } from "./policy/stock.ts";
export { type ApprovalOptions, approvalPolicy } from "./registry/approval-policy.ts";
export type { Secrets } from "./redact.ts";
export type { DeploymentOptions } from "./registry/options.ts";
export type { DeclareIn, Form } from "./registry/composition.ts";
export { defineTool } from "./registry/define-tool.ts";
export type { PersonaOptions, SectionOptions } from "./registry/instruct.ts";
export type { Adjust, AdjustedSection, PromptRequest, PromptText } from "./registry/instructions.ts";
export { outcome, type OutcomeParts, type ToolOutcome } from "./registry/outcome.ts";
export type { Activity, CallPaths, CallView, Grants, Guard, Policy, Task, Verdict } from "./registry/policy.ts";
export type { Restriction } from "./registry/restriction.ts";
export type { JsonSchema, SchemaInput } from "./registry/schema.ts";
export type { ToolSource } from "./registry/source.ts";
export type { Surface } from "./registry/surface.ts";
export type {
  AnyTool,
  BinaryPart,
  Caller,
  Effects,
  ToolContext,
  ToolDefinition,
  ValidateContext,
} from "./registry/tool.ts";
export type { Warning } from "./registry/warning.ts";
export type { CheckMode } from "./runtime/check/mode.ts";
export type { ConsoleLine, ProgramError, RunResult, Usage } from "./runtime/result.ts";
export type { RunEvent } from "./runtime/running.ts";
export { createRuntime, type Runtime, type RuntimeOptions } from "./runtime/runtime.ts";
export type { ModelTextOptions } from "./runtime/result.ts";
