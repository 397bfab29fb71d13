import { Fault } from "./errors.ts";

interface LimitRow {
  readonly unit: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly what: string;
}

/** Every settable limit: one row each, the unit in the name. */
export const limitTable = {
  cpuMs: { unit: "ms", default: 5_000, min: 10, max: 600_000, what: "processor time of one program" },
  wallMs: {
    unit: "ms",
    default: 120_000,
    min: 10,
    max: 86_400_000,
    what: "time of one program, waiting for people apart",
  },
  memoryMb: { unit: "MB", default: 64, min: 16, max: 1_024, what: "heap of one program" },
  sourceBytes: { unit: "bytes", default: 65_536, min: 1, max: 1_048_576, what: "program text" },
  consoleBytes: { unit: "bytes", default: 65_536, min: 0, max: 8_388_608, what: "console output of one program" },
  calls: { unit: "calls", default: 1_000, min: 0, max: 1_000_000, what: "tool calls of one program" },
  concurrency: { unit: "calls", default: 10, min: 1, max: 1_000, what: "parallel calls of one step" },
  callMs: { unit: "ms", default: 60_000, min: 1, max: 86_400_000, what: "running time of one call" },
  attempts: { unit: "attempts", default: 3, min: 1, max: 100, what: "attempts of one call that fails for the moment" },
  approvalMs: { unit: "ms", default: 86_400_000, min: 1, max: 2_147_483_647, what: "waiting for a person's answer" },
  argumentBytes: { unit: "bytes", default: 1_048_576, min: 2, max: 16_777_216, what: "arguments of one call" },
  resultBytes: { unit: "bytes", default: 8_388_608, min: 2, max: 16_777_216, what: "result of one call" },
  returnBytes: {
    unit: "bytes",
    default: 262_144,
    min: 2,
    max: 16_777_216,
    what: "return value, beyond which it is previewed",
  },
  stateBytes: { unit: "bytes", default: 65_536, min: 2, max: 1_048_576, what: "`state` of one session" },
} as const;

/** Bounds that no one needs to set; each keeps a process or the host's thread from harm. */
export const bounds = {
  /** A return value or frame larger than this never leaves the sandbox. */
  transferBytes: 16_777_216,
  /** What a sandbox process may send in one frame before it is killed. */
  frameBytes: 67_108_864,
  /** Warnings kept of one program. */
  warnings: 200,
  /** The longest delay that a timer of the host can have. */
  longestTimerMs: 2_147_483_647,
  /** Time for a process to start, for a sandbox process to make a fresh isolate, and for a signalled tool to answer. */
  startMs: 20_000,
  renewMs: 2_000,
  signalMs: 50,
  /** Time for a layer of isolation to show that it works. */
  probeMs: 5_000,
  /** Time for a configured module to load. */
  importMs: 30_000,
  /** Sandbox processes: idle for so long they end; after so much work they are replaced; so many failed starts in a row are told. */
  idleMs: 15_000,
  programsPerProcess: 1_000,
  cpuMsPerProcess: 300_000,
  failedStarts: 3,
  /** Time in which the number of tenants that newly asked counts half: spares are made for as many as count. */
  demandHalfLifeMs: 2_000,
  /** How long a new spare leaves the host's thread to the program that took the last one. */
  spareDelayMs: 5,
  /** Programs that wait for a process, of all tenants. */
  queuedPrograms: 10_000,
  /** Programs that run inside each other's tools. */
  nestedPrograms: 32,
  /** Programs that have started and not ended, parked ones included: of all tenants, and of one. */
  startedPrograms: 4_096,
  startedPerTenant: 2_048,
  /** Processes that may die before they take a program until it counts as its doing. */
  untakenProcesses: 32,
  /** Runs of a session that are kept without a store, so that a next program may continue one. */
  formerRuns: 20,
  /** How long a suspended run waits for its answers. */
  suspendedMs: 604_800_000,
  /** A program that waits for people is suspended, unless a timer of its own is due so soon. */
  suspendGraceMs: 10_000,
  /** How long a program waits before it may be parked for one that needs its process. */
  parkAfterMs: 20,
  /** Misses of names in one step for which near names are looked for. */
  suggestions: 20,
  /** Calls not awaited, and notes, that are told one by one. */
  reported: 20,
  /** Pending timers of one program. */
  timers: 1_000,
  /** Wall time over the rest of the CPU budget after which a silent sandbox process is killed. */
  graceMs: 250,
  /** Work of the host's thread on what one program sent, in ms, before others have their turn. */
  sliceMs: 8,
  /** Settlements that one message gives a program, and the characters beyond which it takes no more. */
  settledAtOnce: 1_000,
  settledChars: 1_048_576,
  /** Given to a program and heard of it: more is not repeated after a crash, and only a program this cheap to repeat gives its process up. */
  tapeChars: 33_554_432,
  parkChars: 1_048_576,
  parkCpuMs: 100,
  /** How often the memory of a busy sandbox process is looked at, and what it may hold beyond `memoryMb`. */
  memoryPollMs: 25,
  memoryOverheadMb: 448,
  /** Time for one program to compile. */
  compileMs: 2_000,
  /** Time for the type check of one program, beyond which it runs unchecked, and what of it is told. */
  typecheckMs: 1_000,
  /** The same with all that the check waits for: a start of the process, its line, a try after another text ended the process. */
  typecheckWaitMs: 5_000,
  /** What is asked of TypeScript about one program, beyond which what was found so far stands. */
  typecheckQuestions: 2_000,
  findings: 5,
  /** Time for a guard or a policy to answer. */
  guardMs: 5_000,
  /** Time for one function that gives or changes a part of the prompt; and how near the placements of two sections may be. */
  promptMs: 5_000,
  /** Sections that an adjuster may return. */
  sections: 100_000,
  sectionsApart: 10,
  /** Nesting of brackets and of syntax in a program. */
  depth: 400,
  /** Of one schema, beyond which its declaration says `unknown`: nesting, schemas in it, schemas referred to. */
  typeDepth: 32,
  typeParts: 20_000,
  typeReferences: 1_000,
  /**
   * Of one schema's JSON text, where each value, each four items of an array and each 64 characters count one: what is
   * compiled to check values, notes apart, and what is kept and shown at all, which also nests no deeper.
   */
  schemaSize: 1_000,
  schemaKept: 50_000,
  schemaDepth: 200,
  /** Steps of some 100 ns that checking one value takes at most, and states that one schema's patterns do. */
  checkSteps: 6_000_000,
  patternStates: 5_000,
  /** Time on the host's thread for a Standard Schema whose patterns may not come to an end. */
  standardMs: 250,
  /** What is compiled and checked on the host's own thread: schemas of this size and these states, texts of these characters, in this time. */
  schemaInPlace: 80,
  statesInPlace: 400,
  charsInPlace: 262_144,
  checkMsInPlace: 10,
  /** Time for a check elsewhere, the schemas that are kept ready there, and the memory it may take. */
  checkMs: 15_000,
  checkerSchemas: 200,
  checkerHeapMb: 512,
  /**
   * Learned output types: characters of a result that is looked at, nesting, names of one object beyond which its keys are
   * data, parts of what is known of one tool and of what is shown of it, tools, bytes of the file, time until it is written.
   */
  learnedChars: 262_144,
  learnedDepth: 6,
  learnedKeys: 128,
  learnedParts: 2_000,
  learnedShown: 200,
  learnedTools: 10_000,
  learnedFileBytes: 67_108_864,
  learnedSaveMs: 1_000,
  /** Tools that searches bind at once, the turns after the one that found them, and repeats of searches that a turn may make. */
  boundTools: 12,
  boundTurns: 2,
  searchRepeats: 4,
  /** Of a folder of skills: its files, and what is read of each to describe it. What one call of `read_file` reads. */
  skillFiles: 5_000,
  skillHeadBytes: 16_384,
  readBytes: 24_576,
  /** The pause before a second attempt, which doubles up to the other one. */
  backoffMs: 200,
  backoffMostMs: 10_000,
  /** What a session keeps for references, and the ids of those that had to give way. */
  references: 1_000,
  referencesBytes: 67_108_864,
  expiredReferences: 10_000,
  /** A larger one does not outlive the process, whatever the store. */
  storedReferenceBytes: 4_194_304,
  /** Planned actions of a session that are settled or discarded and are still told of. */
  settledActions: 200,
  /** A value of a program longer than this many characters has a reference, as a model may be shown it shortened. */
  referredChars: 8_192,
  /** Of a result that is too large, told with its reference. */
  headChars: 2_000,
  /** Nesting of a JSON value. */
  jsonDepth: 1_000,
  /** A path to a value; and the places told of in which a value was shortened. */
  pathChars: 400,
  dropped: 100,
  messageChars: 4_000,
  /** Details of a failure as JSON. */
  detailsChars: 65_536,
  stackChars: 8_000,
  /** Of a store: time that it waits for others and for a connection, how long a claim holds, and what one message brings of a run. */
  storeBusyMs: 5_000,
  storeConnectMs: 10_000,
  claimMs: 30_000,
  pageChars: 1_048_576,
  pageEntries: 2_000,
  /** Operations that share one commit, and runs that one operation purges. */
  storeGroup: 500,
  purgedAtOnce: 200,
  /** Ids in a store, tenants and sessions among them; those of documents may be longer. Summaries in one answer. */
  keyBytes: 500,
  documentIdBytes: 1_000,
  listed: 10_000,
  listedAtOnce: 1_000,
  /** Requests that a store in memory remembers. */
  memoryRequests: 10_000,
} as const;

export type LimitName = keyof typeof limitTable;
export type Limits = { readonly [name in LimitName]: number };

const names = /* @__PURE__ */ Object.keys(limitTable) as LimitName[];

/** Reads limits over the defaults (or over `base`); throws `invalid_options` for an unknown name or a value out of range. */
export function readLimits(given: Partial<Limits> = {}, base?: Limits): Limits {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(limitTable, name)) {
      throw new Fault("invalid_options", `unknown limit "${name}"; the limits are ${names.join(", ")}`, {
        details: { name },
      });
    }
  }
  const limits: Record<string, number> = {};
  for (const name of names) {
    const row: LimitRow = limitTable[name];
    const value = given[name] ?? base?.[name] ?? row.default;
    if (!Number.isInteger(value) || value < row.min || value > row.max) {
      throw new Fault(
        "invalid_options",
        `limit ${name} must be an integer from ${row.min} to ${row.max} (${row.unit}), got ${typeof value === "string" ? JSON.stringify(value) : String(value)}`,
        { details: { name, value } },
      );
    }
    limits[name] = value;
  }
  return Object.freeze(limits) as Limits;
}
