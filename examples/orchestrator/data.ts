// A small graph of a sales team, and the services outside that its tools reach.
import { TransientError } from "codecall";

export interface Entity {
  readonly id: string;
  readonly kind: "deal" | "contact" | "note";
  readonly name: string;
  readonly text: string;
  readonly stage?: "open" | "proposal" | "won";
  readonly value?: number;
  readonly contact?: string;
}

export const entities: readonly Entity[] = [
  {
    id: "deal_1",
    kind: "deal",
    name: "Harbour lights",
    text: "lamps for the harbour, waits for our offer",
    stage: "proposal",
    value: 18_000,
    contact: "contact_1",
  },
  {
    id: "deal_2",
    kind: "deal",
    name: "Mill roof",
    text: "solar roof of the old mill",
    stage: "open",
    value: 42_000,
    contact: "contact_2",
  },
  {
    id: "deal_3",
    kind: "deal",
    name: "Library heating",
    text: "heat pump of the library",
    stage: "won",
    value: 27_500,
    contact: "contact_2",
  },
  { id: "contact_1", kind: "contact", name: "Ida Brandt", text: "runs the harbour, ida@harbour.example" },
  { id: "contact_2", kind: "contact", name: "Per Olsen", text: "builds for the town, per@town.example" },
  { id: "note_1", kind: "note", name: "Call with Ida", text: "the harbour wants the offer before Friday" },
];

/** What is outside. Each service does a thing once under one key, however often it is asked. */
export interface Outside {
  readonly mails: Map<string, { readonly to: string; readonly subject: string }>;
  readonly cards: Map<string, { readonly title: string; readonly body: string }>;
  /** Fails on every first attempt with a message of its own, as services do now and then. */
  readonly hiccup: (key: string, reason: string) => void;
}

export function openOutside(): Outside {
  const failed = new Set<string>();
  return {
    mails: new Map(),
    cards: new Map(),
    hiccup(key, reason) {
      if (failed.has(key)) return;
      failed.add(key);
      throw new TransientError(reason);
    },
  };
}
