// Hands texts to a process that may hang or die on one: each text has a time limit, and when it runs out or the process
// dies, the process is killed and all texts it had are suspects. The next process gets them one at a time, so that the
// one at fault is found; that text is refused for a while, and the others lose nothing but time.
import { createHash } from "node:crypto";
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import { type Link, type LinkOptions, startLink } from "./link.ts";

export interface SupervisorOptions<Answer> extends Pick<
  LinkOptions<Answer>,
  "nodePath" | "script" | "flags" | "ulimits" | "isolation" | "seesProcesses" | "read"
> {
  /** What the process is, in messages. */
  readonly what: string;
  /**
   * Whether texts hold each other up: then one whose time ran out among others gets it once more, alone. Where they do
   * not, its process is ended only once the others in it have had their answer or their time.
   */
  readonly entangled: boolean;
  /** Called before a process is started, which knows nothing of what others were sent. */
  readonly onStart?: () => void;
}

export interface Task {
  /** What may be at fault. */
  readonly text: string;
  readonly limitMs: number;
  /** Time for the answer from the asking on, whatever it waits for; unbounded unless given. */
  readonly withinMs?: number;
  /** Made when the process gets it. */
  readonly request: (id: number) => object;
}

/** `answer` is absent where the text is at fault or time ran out; `limitMs` is the time that it used up, if it was that. */
export interface Reply<Answer> {
  readonly answer?: Answer;
  readonly limitMs?: number;
}

export interface Supervisor<Answer> {
  /** Rejects with `runtime_closed` or `sandbox_unavailable`. */
  ask(task: Task): Promise<Reply<Answer>>;
  /** Leaves no process; harmless twice. */
  close(): Promise<void>;
  /** Resolves when the first process answers; rejects with `sandbox_unavailable`. */
  readonly ready: Promise<void>;
}

interface Job<Answer> extends Task {
  readonly id: number;
  suspect: boolean;
  /** Processes that died while they had this text alone. */
  deaths: number;
  /** Its time ran out, so the process was killed for it. */
  expired: boolean;
  timer: NodeJS.Timeout | undefined;
  /** Runs from the asking on. */
  patience: NodeJS.Timeout | undefined;
  /** That time has passed. */
  isGivenUp: boolean;
  readonly resolve: (reply: Reply<Answer>) => void;
  readonly reject: (fault: Fault) => void;
}

const inFlight = 4;
const deathsAllowed = 2;
const refusedTexts = 256;
const refusedMs = 600_000;

const digest = (text: string): string => createHash("sha256").update(text).digest("base64");

export function createSupervisor<Answer extends { readonly id: number }>(
  options: SupervisorOptions<Answer>,
): Supervisor<Answer> {
  const waiting: Job<Answer>[] = [];
  const sent = new Map<number, Job<Answer>>();
  const refused = new Map<string, number>();
  let link: Link | undefined;
  let isReady = false;
  let startTimer: NodeJS.Timeout | undefined;
  let nextId = 1;
  let closing: Promise<void> | undefined;
  /** A text has used up its time in the process, which takes no more. */
  let isDraining = false;
  const first = Promise.withResolvers<void>();
  // Whoever awaits `ready` hears of a failure; nobody has to.
  first.promise.catch(() => undefined);

  function start(): void {
    isReady = false;
    isDraining = false;
    options.onStart?.();
    const own: Link = startLink({
      ...options,
      onReady() {
        clearTimeout(startTimer);
        isReady = true;
        first.resolve();
        pump();
      },
      onAnswer(answer) {
        const job = sent.get(answer.id);
        if (job !== undefined) settle(job, answer);
      },
      onEnd(why) {
        if (link === own) lost(why);
      },
    });
    link = own;
    startTimer = setTimeout(() => own.kill(), bounds.startMs);
  }

  function settle(job: Job<Answer>, answer: Answer): void {
    clearTimeout(job.timer);
    clearTimeout(job.patience);
    sent.delete(job.id);
    job.resolve({ answer });
    endDrained();
    pump();
  }

  function lost(why: string): void {
    clearTimeout(startTimer);
    link = undefined;
    if (!isReady) {
      const fault = new Fault("sandbox_unavailable", `the ${options.what} process could not be started: ${why}`, {
        hint: `It runs ${options.nodePath} ${options.script} and needs Node 24 or newer.`,
      });
      first.reject(fault);
      for (const job of waiting.splice(0)) {
        clearTimeout(job.patience);
        job.reject(fault);
      }
      return;
    }
    const suspects = [...sent.values()];
    sent.clear();
    const wasAlone = suspects.length === 1;
    const again: Job<Answer>[] = [];
    for (const job of suspects) {
      clearTimeout(job.timer);
      if (wasAlone) job.deaths += 1;
      // A process that died under a text once or twice may have been ended by somebody else.
      if (job.deaths > deathsAllowed || (job.expired && wasAlone)) refuse(job);
      else if (!job.isGivenUp) again.push(job);
    }
    for (const job of again) {
      job.suspect = true;
      job.expired = false;
    }
    waiting.unshift(...again);
    pump();
  }

  function endDrained(): void {
    if (isDraining && sent.size === 0) link?.kill();
  }

  /** Nobody waits for it any more; where the process has it, that goes on to its end or its limit. */
  function giveUp(job: Job<Answer>, withinMs: number): void {
    const at = waiting.indexOf(job);
    if (at >= 0) waiting.splice(at, 1);
    job.isGivenUp = true;
    job.resolve({ limitMs: withinMs });
    pump();
  }

  function expire(job: Job<Answer>, own: Link): void {
    job.expired = true;
    if (!options.entangled) {
      sent.delete(job.id);
      refuse(job);
      isDraining = true;
      endDrained();
      return;
    }
    // The others lose their process through no fault that is known.
    for (const other of sent.values()) clearTimeout(other.timer);
    own.kill();
  }

  function refuse(job: Job<Answer>): void {
    clearTimeout(job.patience);
    const oldest = refused.keys().next();
    if (refused.size >= refusedTexts && oldest.done !== true) refused.delete(oldest.value);
    refused.set(digest(job.text), Date.now() + refusedMs);
    job.resolve(job.expired ? { limitMs: job.limitMs } : {});
  }

  function isRefused(text: string): boolean {
    if (refused.size === 0) return false;
    const until = refused.get(digest(text));
    return until !== undefined && until > Date.now();
  }

  function pump(): void {
    link?.hold(waiting.length > 0 || sent.size > 0);
    if (waiting.length === 0) return;
    if (link === undefined) {
      start();
      return;
    }
    if (!isReady || isDraining) return;
    while (waiting.length > 0 && sent.size < inFlight) {
      const alone = waiting[0]?.suspect === true || [...sent.values()].some((job) => job.suspect);
      if (alone && sent.size > 0) return;
      const job = waiting.shift() as Job<Answer>;
      if (isRefused(job.text)) {
        clearTimeout(job.patience);
        job.resolve({});
        continue;
      }
      sent.set(job.id, job);
      const own = link;
      job.timer = setTimeout(() => expire(job, own), job.limitMs);
      own.send(job.request(job.id));
    }
  }

  function ask(task: Task): Promise<Reply<Answer>> {
    if (closing !== undefined) return Promise.reject(new Fault("runtime_closed", "the runtime is closed"));
    return new Promise((resolve, reject) => {
      const { withinMs } = task;
      const fresh = {
        suspect: false,
        deaths: 0,
        expired: false,
        timer: undefined,
        patience: undefined,
        isGivenUp: false,
      };
      const job: Job<Answer> = { ...task, id: nextId, ...fresh, resolve, reject };
      if (withinMs !== undefined) job.patience = setTimeout(() => giveUp(job, withinMs), withinMs);
      waiting.push(job);
      nextId += 1;
      pump();
    });
  }

  async function close(): Promise<void> {
    const fault = new Fault("runtime_closed", "the runtime was closed");
    first.reject(fault);
    clearTimeout(startTimer);
    for (const job of [...sent.values(), ...waiting.splice(0)]) {
      clearTimeout(job.timer);
      clearTimeout(job.patience);
      job.reject(fault);
    }
    sent.clear();
    const last = link;
    link = undefined;
    last?.hold(true);
    last?.kill();
    await last?.ended;
  }

  start();
  return { ask, close: () => (closing ??= close()), ready: first.promise };
}
