// What codecall's own rules say of the calls of one session: read-only activities, allowed folders, grants, the confirmation
// gate, taint and budget. The rules are made of what the host set up and a person answered; a model only ever asks.
import type { Answer } from "../bridge/answers.ts";
import type { Authority, Call, Question, Ruling, StepState } from "../bridge/call.ts";
import { type Failed, isSuccess, mayWrite, type Outcome, refuse, type Success } from "../bridge/outcome.ts";
import type { Activity, Grants, Task } from "../registry/policy.ts";
import { providedSource } from "../registry/provided.ts";
import type { Budget } from "./budget.ts";
import { type Located, locateArguments, locatePaths, lookUp, outside, quote, whyMoved } from "./fence.ts";
import type { Grant, GrantBook, Need, ToolIdentity } from "./grants.ts";
import { hintTo } from "./hint.ts";
import type { PlannedAction, PlannedActions } from "./planned.ts";
import { homeOfCall, type ProvidedHome, providedIn, setHome } from "./provided.ts";

/** What outlasts the turns of a session. */
export interface SessionBooks<T> {
  readonly session: string;
  readonly tenant: string;
  /** Folders in which tools may act, the working folder of a turn apart. */
  readonly folders: readonly string[];
  readonly workspace: string | undefined;
  readonly grants: GrantBook;
  readonly actions: PlannedActions<T>;
  /** The sources marked untrusted from which something was read. */
  readonly taintedBy: Set<string>;
  /** Resolves once all of this is written down so far; `undefined` where it is. */
  readonly saved: () => Promise<void> | undefined;
}

export interface TurnTerms {
  readonly turn: number;
  readonly activity: Activity;
  readonly workingFolder: string | undefined;
  readonly confirmationGated: boolean;
  readonly budget: Budget;
  /** What the turn was opened to execute. */
  readonly confirmed?: PlannedAction;
}

/** What one call relies on. */
interface Standing {
  counted?: boolean;
  readonly reliedOn: Set<Grant>;
  located?: Located;
  /** Where a capability is asked for. */
  target?: string;
}

const readOnly: ReadonlySet<Activity> = new Set(["plan", "review", "research"]);
const fenced: ReadonlySet<unknown> = new Set(["read_outside_fence", "mutate_outside_fence"]);

export function openAuthority<T>(books: SessionBooks<T>, terms: TurnTerms): Authority {
  const standings = new WeakMap<Call, Standing>();
  const workingFolder = terms.workingFolder ?? terms.confirmed?.workingFolder;
  const base = workingFolder ?? books.workspace ?? process.cwd();
  const folders = [books.workspace, workingFolder].filter((folder) => folder !== undefined);
  const allowed = [...books.folders, ...folders];

  const task = Object.freeze<Task>({
    activity: terms.activity,
    turn: terms.turn,
    session: books.session,
    tenant: books.tenant,
    get tainted() {
      return books.taintedBy.size > 0;
    },
    workingFolder,
    confirmationGated: terms.confirmationGated,
  });

  function standingOf(call: Call): Standing {
    const known = standings.get(call);
    if (known !== undefined) return known;
    const standing: Standing = { reliedOn: new Set() };
    standings.set(call, standing);
    return standing;
  }

  /** Whether a grant covers it; the call relies on the grant from now on. */
  function covers(call: Call, capability: string, path: string | undefined): boolean {
    const need: Need = { callId: call.id, tool: identityOf(call), capability, path };
    const grant = books.grants.find(need);
    if (grant !== undefined) standingOf(call).reliedOn.add(grant);
    return grant !== undefined;
  }

  function judgeActivity(call: Call, step: StepState): Ruling | undefined {
    if (!readOnly.has(terms.activity) || !mayWrite(call.offered?.tool.effects)) return undefined;
    const writes = call.paths?.write ?? [];
    const places: readonly (string | undefined)[] = writes.length === 0 ? [undefined] : writes;
    if (places.every((path) => covers(call, "mutate", path))) return undefined;
    const sentence = `${nameOf(call)} may change something, and a turn with the activity ${quote(terms.activity)} only reads: it would need the capability mutate`;
    return { code: "read_only_activity", sentence, ...hintTo(call, step, "mutate"), details: { capability: "mutate" } };
  }

  function judgePaths(call: Call, step: StepState): Ruling | undefined {
    const { located } = standingOf(call);
    if (located === undefined) return undefined;
    for (const { text, real, kind, capability } of outside(located)) {
      if (covers(call, capability, real)) continue;
      const doing = kind === "read" ? "reading" : "writing";
      const sentence = `${doing} ${quote(text)} is outside the allowed folders: it would need the capability ${capability} for that path`;
      return {
        code: capability,
        sentence,
        ...hintTo(call, step, capability, text),
        details: { capability, path: text },
      };
    }
    return undefined;
  }

  return {
    task,
    admit(call, step) {
      const standing = standingOf(call);
      if (standing.counted === true) return undefined;
      const over = terms.budget.spendCall();
      if (over !== undefined) {
        return refuse("budget_exhausted", `the turn has used up its budget of ${over}`, {
          hint: "make no more calls; finish with what you have",
        });
      }
      standing.counted = true;
      if (providedIn(call) !== undefined) setHome(call, homeFor(call, step));
      return undefined;
    },
    locate(call) {
      forget(call);
      const { paths } = call.offered?.tool.definition ?? {};
      if (providedIn(call) === "request_capability") return locateTarget(call);
      // What codecall provides to read files has a fence of its own.
      return paths === undefined || call.offered?.tool.source === providedSource ? undefined : locate(call);
    },
    judge(call, step) {
      if (call.parsed?.ok !== true) return undefined;
      return judgeRequest(call) ?? judgeActivity(call, step) ?? judgePaths(call, step);
    },
    question(call) {
      const home = homeOfCall(call);
      if (providedIn(call) !== "request_capability" || call.parsed?.ok !== true || home === undefined) return undefined;
      return questionOf(call);
    },
    grants: (call): Grants =>
      Object.freeze({
        covers: (capability: string, path?: string) => covers(call, String(capability), path),
      }),
    granted(call, answer) {
      const home = homeOfCall(call);
      if (home === undefined || answer.kind !== "allow") return undefined;
      home.granted = grantTo(call, answer);
      const { by, capability, path, scope } = home.granted;
      const where = path === undefined ? "" : ` for ${quote(path)}`;
      return whenSaved(
        scope === "once"
          ? { code: "granted_once", sentence: `${by} granted ${capability}${where} to one call` }
          : { code: "granted_for_session", sentence: `${by} granted ${capability}${where} for the session` },
      );
    },
    reliedOn(call) {
      const [grant] = standingOf(call).reliedOn;
      if (grant === undefined) return undefined;
      return { code: "granted", sentence: `${grant.capability} was granted by ${grant.by} (${grant.id})` };
    },
    recheck(call) {
      const { reliedOn, located } = standingOf(call);
      for (const { id, capability } of reliedOn) {
        if (books.grants.holds(id, call.id)) continue;
        const sentence = `the grant of ${capability} that the call relied on does not hold any more`;
        return { code: "grant_revoked", sentence, details: { capability } };
      }
      return located === undefined ? undefined : whyMoved(located, base);
    },
    plan(call) {
      if (task.confirmationGated || call.offered?.tool.effects?.includes("external") !== true) return undefined;
      const { located } = standingOf(call);
      const { tool, id } = write(call, {
        tool: call.offered.name,
        identity: identityOf(call),
        args: call.asked.args,
        paths: located === undefined ? [] : realOf(located),
      });
      const message = `${tool} was not executed: it is planned and runs once a person has confirmed it`;
      const json = JSON.stringify({ id, status: "planned", message });
      const note = `${message} (${id})`;
      return whenSaved<Success>({ status: "planned", effect: "none", json, bytes: Buffer.byteLength(json), note });
    },
    begin(call) {
      if (standingOf(call).reliedOn.size === 0) return undefined;
      books.grants.use(call.id);
      return books.saved();
    },
    end(call, outcome) {
      const standing = standingOf(call);
      if (standing.reliedOn.size > 0) books.grants.release(call.id);
      if (standing.counted === true) spend(call, outcome);
      const tool = call.offered?.tool;
      if (call.started && tool?.untrusted === true) books.taintedBy.add(tool.source);
    },
  };

  /** Nothing is told of what might be forgotten. */
  function whenSaved<R>(told: R): R | Promise<R> {
    const saved = books.saved();
    return saved === undefined ? told : saved.then(() => told);
  }

  function spend({ asked }: Call, outcome: Outcome): void {
    if (isSuccess(outcome)) terms.budget.spend(asked.args.length, outcome.bytes, outcome.json.length);
    else terms.budget.spend(asked.args.length, 0, outcome.failure.message.length);
  }

  async function locate(call: Call): Promise<Failed | undefined> {
    const located = await locatePaths(call, base, allowed);
    if (located === undefined || "status" in located) return located;
    standingOf(call).located = located;
    const { confirmed } = terms;
    const isSame = confirmed === undefined || sameTexts(confirmed.paths, realOf(located));
    const sentence = `a path that ${nameOf(call)} was confirmed with leads elsewhere now`;
    return isSame ? undefined : refuse("path_changed", sentence);
  }

  async function locateTarget(call: Call): Promise<Failed | undefined> {
    const { path } = call.args as { readonly path?: string };
    if (path === undefined) return undefined;
    const real = await lookUp(path, base);
    if (typeof real !== "string") return refuse("path_unusable", `the path ${quote(path)} cannot be used: ${real.why}`);
    standingOf(call).target = real;
    return undefined;
  }

  function judgeRequest(call: Call): Ruling | undefined {
    if (providedIn(call) !== "request_capability") return undefined;
    const { name, path } = call.args as { readonly name: string; readonly path?: string };
    if (!fenced.has(name) || path !== undefined) return undefined;
    return {
      code: "arguments_invalid",
      sentence: `${name} is asked for one path; call ${nameOf(call)} again with path`,
    };
  }

  function questionOf(call: Call): Question | undefined {
    const { name, reason, path } = call.args as {
      readonly name: string;
      readonly reason: string;
      readonly path?: string;
    };
    const { target } = standingOf(call);
    const home = homeOfCall(call);
    const known = books.grants.find({ callId: call.id, tool: identityOf(call), capability: name, path: target });
    books.grants.release(call.id);
    if (known !== undefined && home !== undefined) {
      home.granted = known;
      return undefined;
    }
    const where = path === undefined ? "" : ` for ${quote(path)}`;
    const capability = { name, ...(target === undefined ? {} : { path: target }) };
    return {
      code: "capability_requested",
      reason: `${name} is asked for${where}: ${reason.slice(0, 1_000)}`,
      capability,
    };
  }

  function grantTo(call: Call, { scope, by = "a person" }: Answer & { kind: "allow" }): Grant {
    const { name, reason } = call.args as { readonly name: string; readonly reason: string };
    const { target } = standingOf(call);
    const path = target === undefined ? {} : { path: target };
    return books.grants.add({ capability: name, ...path, scope, by, reason: reason.slice(0, 1_000), callId: call.id });
  }

  /** What was found of arguments in whose place a person put others says nothing of these. */
  function forget(call: Call): void {
    const standing = standingOf(call);
    if (standing.located !== undefined) delete standing.located;
    if (call.paths !== undefined) delete call.paths;
    if (standing.reliedOn.size === 0) return;
    standing.reliedOn.clear();
    books.grants.release(call.id);
  }

  function homeFor(call: Call, { surface }: StepState): ProvidedHome {
    // Programs know tools by other names than a model does that calls them itself.
    const lists = call.asked.caller === "model" ? [surface.byProviderName, surface.find] : [surface.find];
    return {
      find: (name) => lists.map((find) => find(name)).find((tool) => tool !== undefined),
      nearest: (name) => surface.nearest(name),
      async pathsOf(sought) {
        const located = await locateArguments(sought, base, allowed);
        return located === undefined ? [] : "status" in located ? located : realOf(located);
      },
      propose: (proposed) => whenSaved(write(call, proposed)),
    };
  }

  function write(call: Call, proposed: Proposed): PlannedAction<T> {
    const from = workingFolder === undefined ? {} : { workingFolder };
    return books.actions.add({ ...proposed, ...from, turn: terms.turn, callId: call.id });
  }
}

type Proposed = Parameters<ProvidedHome["propose"]>[0];

const realOf = ({ paths }: Located): readonly string[] => paths.map(({ real }) => real);
const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);

const nameOf = ({ offered, asked }: Call): string => offered?.name ?? asked.name;

function identityOf({ offered, asked }: Call): ToolIdentity {
  return { source: offered?.tool.source ?? "", name: offered?.tool.originalName ?? asked.name };
}
