import type { EffectState, Status } from "./outcome.ts";

/** What can be watched of calls; `callId` ties the events of one call together, with exactly one `call.settled` for each `call.requested`. */
export type BridgeEvent =
  | { readonly type: "call.requested"; readonly callId: string; readonly tool: string; readonly args: string }
  | {
      readonly type: "call.decided";
      readonly callId: string;
      readonly verdict: "allow" | "refuse" | "cancel" | "ask";
      readonly code: string;
      readonly sentence: string;
    }
  | { readonly type: "approval.asked"; readonly callId: string; readonly tool: string; readonly reason: string }
  | { readonly type: "call.started"; readonly callId: string }
  | {
      readonly type: "call.progress";
      readonly callId: string;
      readonly done?: number;
      readonly total?: number;
      readonly message?: string;
    }
  | {
      readonly type: "call.settled";
      readonly callId: string;
      readonly tool: string;
      readonly status: Status;
      readonly effect: EffectState;
      readonly ranMs: number;
      readonly code?: string;
      readonly message?: string;
    };
