// A store whose contents only the holder of a key can read: headers, entries, outcomes and documents, by AES-256-GCM. Each text is bound
// to its place, so that none can be moved to another. Ids, tenants, sessions, kinds, status and times stay readable.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { Fault } from "../../errors.ts";
import { tampered } from "./refusals.ts";
import type { Content, Document, Reservation, Store } from "./store.ts";

const sealMark = "sealed.1.";
const nonceBytes = 12;
const tagBytes = 16;

/** Whether a text was written with a key. */
export const isSealed = (text: string): boolean => text.startsWith(sealMark);

export const keyWrong = (place: string, why: string): Fault =>
  new Fault("store_key_wrong", `${place} ${why}`, {
    hint: "open the store with encrypted(store, key) and the key that it was written with",
  });

interface Seal {
  close(text: string, place: readonly (string | number)[]): string;
  /** `broken` makes the fault of a text that is not what was written. */
  open(text: string, place: readonly (string | number)[], broken: () => Fault): string;
}

function sealOf(key: Uint8Array): Seal {
  const keyId = createHmac("sha256", key).update("codecall store key").digest("hex").slice(0, 16);
  const prefix = `${sealMark}${keyId}.`;
  const aad = (place: readonly (string | number)[]): Buffer => Buffer.from(JSON.stringify(place));
  return {
    close(text, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(aad(place));
      // UTF-16, since any text has to come back as it was, lone surrogates included, wherever UTF-8 would change it.
      const isPlain = text.isWellFormed();
      const bytes = Buffer.from(text, isPlain ? "utf8" : "utf16le");
      const sealed = Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
      return `${prefix}${isPlain ? "8" : "16"}.${sealed.toString("base64")}`;
    },
    open(text, place, broken) {
      const shown = place.join(" ");
      if (!isSealed(text)) throw keyWrong(shown, "was written without a key");
      if (!text.startsWith(prefix)) throw keyWrong(shown, "was written with another key");
      const dot = text.indexOf(".", prefix.length);
      const sealed = Buffer.from(text.slice(dot + 1), "base64");
      if (dot < 0 || sealed.length < nonceBytes + tagBytes) throw broken();
      const end = sealed.length - tagBytes;
      const cipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes)).setAAD(aad(place));
      cipher.setAuthTag(sealed.subarray(end));
      try {
        const bytes = Buffer.concat([cipher.update(sealed.subarray(nonceBytes, end)), cipher.final()]);
        return bytes.toString(text.slice(prefix.length, dot) === "8" ? "utf8" : "utf16le");
      } catch {
        throw broken();
      }
    },
  };
}

/** The store behind a key of 32 bytes; throws `invalid_options` for any other length. Closing it closes the store. */
export function encrypted(store: Store, key: Uint8Array): Store {
  if (!(key instanceof Uint8Array) || key.length !== 32) {
    throw new Fault("invalid_options", "the key of encrypted must be 32 bytes", {
      hint: "make one with crypto.randomBytes(32) and keep it where your secrets are",
    });
  }
  const seal = sealOf(Uint8Array.from(key));

  const sealContent = <C extends Content>(tenant: string, runId: string, from: number, content: C): C => ({
    ...content,
    entries: content.entries.map((entry, index) => seal.close(entry, ["entry", tenant, runId, from + index])),
    ...(content.requests === undefined
      ? {}
      : {
          requests: content.requests.map((request) =>
            request.kind === "reserve"
              ? request
              : { ...request, outcome: seal.close(request.outcome, ["outcome", tenant, request.requestId]) },
          ),
        }),
  });

  const openOutcome = (tenant: string, requestId: string, outcome: string): string =>
    seal.open(outcome, ["outcome", tenant, requestId], () => {
      const message = `the outcome of request "${requestId}" of tenant "${tenant}" was changed`;
      return new Fault("store_tampered", message, { details: { tenant, requestId } });
    });

  const openReservation = (tenant: string, requestId: string, reservation: Reservation): Reservation =>
    reservation.first || reservation.outcome === undefined
      ? reservation
      : { ...reservation, outcome: openOutcome(tenant, requestId, reservation.outcome) };

  const openAll = (tenant: string, content: Content | undefined, found: readonly Reservation[]): Reservation[] => {
    const reserved = content?.requests?.filter(({ kind }) => kind === "reserve") ?? [];
    return found.map((one, index) => openReservation(tenant, reserved[index]?.requestId ?? "", one));
  };

  const openDocument = (tenant: string, kind: string, document: Document): Document => ({
    ...document,
    body: seal.open(document.body, ["document", tenant, kind, document.id], () => {
      const message = `document "${document.id}" (${kind}) of tenant "${tenant}" was changed`;
      return new Fault("store_tampered", message, { details: { tenant, kind, id: document.id } });
    }),
  });

  return {
    isDurable: store.isDurable,
    ready: () => store.ready(),
    async create(run, claim, content) {
      const { tenant, runId } = run;
      const header = seal.close(run.header, ["header", tenant, runId]);
      const written = await store.create(
        { ...run, header },
        claim,
        content === undefined ? undefined : sealContent(tenant, runId, 1, content),
      );
      return { ...written, reservations: openAll(tenant, content, written.reservations) };
    },
    async append(tenant, runId, write) {
      const written = await store.append(tenant, runId, sealContent(tenant, runId, write.from, write));
      return { ...written, reservations: openAll(tenant, write, written.reservations) };
    },
    async load(tenant, runId) {
      const run = await store.load(tenant, runId);
      const broken = (n: number | "header") => (): Fault => tampered(tenant, runId, n, "was changed");
      return {
        ...run,
        header: seal.open(run.header, ["header", tenant, runId], broken("header")),
        entries: run.entries.map((entry, index) =>
          seal.open(entry, ["entry", tenant, runId, index + 1], broken(index + 1)),
        ),
      };
    },
    claim: (...given) => store.claim(...given),
    renew: (...given) => store.renew(...given),
    release: (...given) => store.release(...given),
    list: (filter) => store.list(filter),
    reserve: async (tenant, requestId, by) =>
      openReservation(tenant, requestId, await store.reserve(tenant, requestId, by)),
    async settleRequest(tenant, requestId, outcome) {
      const sealed = seal.close(outcome, ["outcome", tenant, requestId]);
      return openOutcome(tenant, requestId, await store.settleRequest(tenant, requestId, sealed));
    },
    async get(tenant, kind, id) {
      const document = await store.get(tenant, kind, id);
      return document === undefined ? undefined : openDocument(tenant, kind, document);
    },
    put: (tenant, kind, id, body, expected, note) =>
      store.put(tenant, kind, id, seal.close(body, ["document", tenant, kind, id]), expected, note),
    remove: (...given) => store.remove(...given),
    async listDocuments(tenant, kind, prefix) {
      const documents = await store.listDocuments(tenant, kind, prefix);
      return documents.map((document) => openDocument(tenant, kind, document));
    },
    purge: (filter) => store.purge(filter),
    close: () => store.close(),
  };
}
