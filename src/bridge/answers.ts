// What a person is asked, and what came back: read once and totally. What is no clear yes is a no, with the reason.
import { isObject } from "../is-object.ts";
import { describe } from "../options.ts";
import { cut } from "./foreign.ts";

/** One question. Of a call: whether it may run. Of a capability: whether the session gets it. */
export interface ApprovalItem {
  readonly kind: "call" | "capability";
  readonly callId: string;
  readonly tool: string;
  readonly source: string;
  readonly args: unknown;
  readonly code: string;
  readonly reason: string;
  readonly capability?: string;
  /** The real path that the capability would cover with all below it; everywhere where it is absent. */
  readonly path?: string;
  readonly choices: readonly string[];
  /** Without an answer in this time the call is refused. */
  readonly expiresMs: number;
}

/**
 * All that a program or a response asks at once. A card of one item has its fields on the card too; they are absent where
 * there are several, so that nobody answers for what they have not seen. Each item is answered by `true` or `"allow"`, by
 * `false`, `"deny"` or a reason, or by `{ verdict: "allow" | "deny" | "edit", reason, args, by }`; a capability also by one
 * of its `choices`. One such answer is for all items; an object by `callId` answers each by itself.
 */
export interface ApprovalCard extends Partial<ApprovalItem> {
  readonly items: readonly ApprovalItem[];
  /** Aborted once no item waits any more. */
  readonly signal: AbortSignal;
}

export const callChoices = ["allow", "deny", "edit"] as const;
export const capabilityChoices = ["Allow once", "Allow for session", "Deny"] as const;

/** Answers questions for a person; see `ApprovalCard`. */
export type AskHost = (card: ApprovalCard) => unknown;

export type Answer = { readonly by?: string } & (
  | { readonly kind: "allow"; readonly scope: "once" | "session" }
  | { readonly kind: "deny"; readonly reason?: string }
  | { readonly kind: "edit"; readonly args: Readonly<Record<string, unknown>> }
);

const deny = (reason?: string): Answer => ({ kind: "deny", ...(reason === undefined ? {} : { reason }) });

/** An answer for each item, in their order. */
export function readAnswers(given: unknown, items: readonly ApprovalItem[]): readonly Answer[] {
  const unreadable = items.map(() => deny("the answer could not be read"));
  try {
    if (!isObject(given) || "verdict" in given) return items.map((item) => readAnswer(given, item, items.length));
    return items.map((item) =>
      Object.hasOwn(given, item.callId) && given[item.callId] !== undefined
        ? readAnswer(given[item.callId], item, 1)
        : deny("this call was not among the answers"),
    );
  } catch {
    return unreadable;
  }
}

function readAnswer(given: unknown, item: ApprovalItem, stands: number): Answer {
  if (given === true) return { kind: "allow", scope: "once" };
  if (given === false || given === undefined || given === null || given === "") return deny();
  if (typeof given === "string") return readWord(given, item);
  if (!isObject(given)) return deny(`the answer was ${describe(given)}, which is none`);
  const by = typeof given.by === "string" && given.by !== "" ? { by: cut(given.by) } : {};
  return { ...readVerdict(given, item, stands), ...by };
}

function readWord(word: string, { kind }: ApprovalItem): Answer {
  const said = word.toLowerCase();
  if (said === "allow") return { kind: "allow", scope: "once" };
  if (said === "deny") return deny();
  if (kind === "capability" && said === "allow once") return { kind: "allow", scope: "once" };
  if (kind === "capability" && said === "allow for session") return { kind: "allow", scope: "session" };
  return deny(cut(word));
}

function readVerdict(given: Readonly<Record<string, unknown>>, item: ApprovalItem, stands: number): Answer {
  const { verdict, reason, args } = given;
  if (verdict === "edit") {
    if (item.kind === "capability") return deny("a capability cannot be edited");
    if (stands > 1) return deny(`one edit cannot stand for ${stands} calls`);
    return isObject(args) ? { kind: "edit", args } : deny(`the edit gave ${describe(args)} as the arguments`);
  }
  if (verdict !== "deny") {
    return typeof verdict === "string" && readWord(verdict, item).kind === "allow"
      ? readWord(verdict, item)
      : deny(`the answer had the verdict ${describe(verdict)}, which is none`);
  }
  return deny(typeof reason === "string" && reason !== "" ? cut(reason) : undefined);
}
