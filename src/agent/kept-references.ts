// References of a session in its store: a document each, written when it is kept and gone when it has to give way.
import type { Kept, ReferenceKeeper, References } from "../bridge/references.ts";
import type { Store } from "../bridge/stores/store.ts";
import { isObject } from "../is-object.ts";
import { parseJson } from "../json.ts";
import { bounds } from "../limits.ts";

const kind = "reference";

export interface KeptReferences {
  readonly keeper: ReferenceKeeper;
  /** Whether anything waits to be written. */
  readonly isWaiting: boolean;
  /** Writes what waits; rejects with what the store rejects with, and what was not written waits on. */
  save(): Promise<void>;
  /** Gives the references what the store holds of them. */
  load(into: References): Promise<void>;
}

export function keepReferences(store: Store, tenant: string, session: string): KeptReferences {
  const prefix = `${session}/`;
  const waiting = new Map<string, Kept | undefined>();
  const stored = new Set<string>();

  return {
    keeper: {
      kept: (entry) => {
        // What is larger lives as long as this process.
        if (entry.reference.bytes <= bounds.storedReferenceBytes) waiting.set(entry.reference.ref, entry);
      },
      dropped: (ref) => {
        if (stored.has(ref)) waiting.set(ref, undefined);
        else waiting.delete(ref);
      },
    },
    get isWaiting() {
      return waiting.size > 0;
    },
    async save() {
      for (const [ref, entry] of waiting) {
        const id = prefix + ref;
        if (entry === undefined) {
          await store.remove(tenant, kind, id);
          stored.delete(ref);
        } else {
          await store.put(tenant, kind, id, bodyOf(entry), undefined, { session, at: Date.now() });
          stored.add(ref);
        }
        if (waiting.get(ref) === entry) waiting.delete(ref);
      }
    },
    async load(into) {
      const documents = await store.listDocuments(tenant, kind, prefix);
      const found = documents.filter(({ id }) => !id.slice(prefix.length).includes("/"));
      for (const { id, body } of found.toSorted((a, b) => a.at - b.at)) {
        const ref = id.slice(prefix.length);
        const read = dataOf(body);
        if (read === undefined) continue;
        stored.add(ref);
        into.restore(ref, read.type, read.data);
      }
    },
  };
}

function bodyOf({ reference: { type }, data }: Kept): string {
  return JSON.stringify(
    typeof data === "string" ? { type, text: data } : { type, base64: Buffer.from(data).toString("base64") },
  );
}

function dataOf(body: string): { readonly type: string; readonly data: string | Uint8Array } | undefined {
  const read: unknown = parseJson(body);
  if (!isObject(read) || typeof read["type"] !== "string") return undefined;
  const { type, text, base64 } = read;
  if (typeof text === "string") return { type, data: text };
  return typeof base64 === "string" ? { type, data: Uint8Array.from(Buffer.from(base64, "base64")) } : undefined;
}
