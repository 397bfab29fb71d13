import { writeAnswers } from "../agent/later-answers.ts";
import { createStoreJournal } from "../bridge/store-journal.ts";
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import { readConfig } from "./config.ts";
import { openNamedStore } from "./named-store.ts";
import type { Stdio } from "./stdio.ts";
import { localTenant, type StoreOptions } from "./store.ts";
import { exits } from "./terminal.ts";

export interface ApproveOptions extends StoreOptions {
  readonly reason?: string;
  readonly by?: string;
  readonly tenant?: string;
}

/** `codecall approve`: writes an answer into a run, and runs nothing; the first answer stands. */
export async function approve(
  runId: string,
  callId: string,
  verdict: string,
  options: ApproveOptions,
  { notes }: Stdio,
): Promise<number> {
  if (verdict !== "allow" && verdict !== "deny") {
    throw new Fault("invalid_options", `the answer is allow or deny, got ${JSON.stringify(verdict)}`);
  }
  const { reason, by, tenant = localTenant } = options;
  await using opened = await openNamedStore(options);
  const owner = `approve-${process.pid}-${crypto.randomUUID()}`;
  const journal = createStoreJournal({
    store: opened.store,
    owner,
    claimMs: bounds.claimMs,
    suspendedMs: bounds.suspendedMs,
  });
  const log = await journal.resume(tenant, runId);
  try {
    if (log.isExpired === true) {
      throw new Fault("approval_expired", `${runId} was suspended, and nobody answered in time`);
    }
    if (log.entries().some(({ kind }) => kind === "end")) {
      notes.warn(`${runId} has ended; the answer was not needed`);
      return exits.completed;
    }
    const answer = { verdict, ...(reason === undefined ? {} : { reason }), ...(by === undefined ? {} : { by }) };
    for (const note of writeAnswers(log, { [callId]: answer })) notes.warn(note);
    await log.commit();
  } finally {
    await log.close();
  }
  const from = options.config === undefined ? "" : ` --config ${JSON.stringify(readConfig(options.config).file)}`;
  notes.line(`answered; to go on: codecall resume ${runId}${from}`);
  return exits.completed;
}
