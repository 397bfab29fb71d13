// The thread that holds a SQLite file. All writes that wait when it looks are one transaction, each a savepoint in it: a refused one
// takes nothing with it. Where the transaction as a whole fails, each is tried alone, so that only what cannot be written is refused.
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { Fault } from "../../errors.ts";
import { bounds } from "../../limits.ts";
import { type SqliteFile, openFile } from "./sqlite-file.ts";
import { sqliteFault } from "./sqlite-faults.ts";
import type { SqliteAnswer, SqliteRequest, SqliteSettings } from "./sqlite-messages.ts";
import { begin, type Given, type OperationName, writes } from "./sql/operations.ts";

const settings = workerData as SqliteSettings;
let file: SqliteFile | undefined;

type Asked = SqliteRequest & { readonly task: { readonly kind: OperationName } };

function refused(id: number, error: unknown): SqliteAnswer {
  const { code, message, hint, details } = sqliteFault(error, settings);
  return { id, fault: { code, message, hint, details } };
}

const drive = (on: SqliteFile, { task }: Asked): unknown =>
  on.drive(begin(task.kind, (task as unknown as { given: Given<typeof task.kind> }).given));

const answered = (id: number, value: unknown): SqliteAnswer => ({ id, value }) as SqliteAnswer;

function read(on: SqliteFile, asked: Asked): SqliteAnswer {
  try {
    return answered(asked.id, drive(on, asked));
  } catch (error) {
    return refused(asked.id, error);
  }
}

/** One write in the open transaction; throws only where the transaction is over. */
function writeOne(on: SqliteFile, asked: Asked): SqliteAnswer {
  on.exec("savepoint one");
  try {
    const value = drive(on, asked);
    on.exec("release one");
    return answered(asked.id, value);
  } catch (error) {
    if (!on.isTransaction) throw error;
    on.exec("rollback to one");
    on.exec("release one");
    return refused(asked.id, error);
  }
}

function writeAll(on: SqliteFile, group: readonly Asked[]): readonly SqliteAnswer[] {
  try {
    on.checkPlace();
    on.exec("begin immediate");
  } catch (error) {
    return group.map(({ id }) => refused(id, error));
  }
  try {
    const answers = group.map((asked) => writeOne(on, asked));
    on.exec("commit");
    return answers;
  } catch (error) {
    if (on.isTransaction) on.exec("rollback");
    const [first, ...more] = group;
    if (first === undefined || more.length === 0) return group.map(({ id }) => refused(id, error));
    return group.flatMap((asked) => writeAll(on, [asked]));
  }
}

function perform(group: readonly Asked[]): readonly SqliteAnswer[] {
  try {
    file ??= openFile(settings);
  } catch (error) {
    return group.map(({ id }) => refused(id, error));
  }
  const on = file;
  const [first] = group;
  return first !== undefined && writes(first.task.kind) ? writeAll(on, group) : group.map((asked) => read(on, asked));
}

function answerOther({ id, task }: SqliteRequest): SqliteAnswer {
  try {
    if (task.kind === "ready") file ??= openFile(settings);
    else {
      file?.close();
      file = undefined;
    }
    return answered(id, undefined);
  } catch (error) {
    return refused(id, error);
  }
}

const isAsked = (request: SqliteRequest): request is Asked =>
  request.task.kind !== "ready" && request.task.kind !== "close";

/** What is next: a group of writes, a group of reads, or one of the rest. */
function take(waiting: SqliteRequest[]): readonly SqliteRequest[] {
  const [first] = waiting;
  if (first === undefined || !isAsked(first)) return waiting.splice(0, 1);
  const isWrite = writes(first.task.kind);
  const end = waiting.findIndex((other) => !isAsked(other) || writes(other.task.kind) !== isWrite);
  return waiting.splice(0, Math.min(end < 0 ? waiting.length : end, bounds.storeGroup));
}

const port = parentPort;
if (port === null) throw new Fault("internal_error", "the thread of a SQLite store was started as a process");
port.on("message", (first: SqliteRequest) => {
  const waiting = [first];
  while (waiting.length > 0) {
    for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
      waiting.push(more.message as SqliteRequest);
    }
    const group = take(waiting);
    const answers = group.every(isAsked) ? perform(group) : group.map(answerOther);
    port.postMessage(answers);
  }
});
