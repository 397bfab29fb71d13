import { type AnyTool, defineTool, requestCapability, type ToolSource } from "codecall";

const none = { type: "object", properties: {}, additionalProperties: false };
const read = (name: string, description: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description,
  inputSchema: none,
  effects: ["read"],
  parallelSafe: true,
  execute: () => `${name}: nothing found`,
  ...more,
});
const write = (name: string, description: string, more: Partial<AnyTool> = {}): AnyTool =>
  read(name, description, { effects: ["write"], parallelSafe: false, execute: () => `${name}: done`, ...more });

/** Every request shows these nine; two of them codecall provides. */
export const alwaysOn: readonly string[] = [
  "search_tools",
  "read_file",
  "request_capability",
  "list_files",
  "write_file",
  "run_command",
  "check_environment",
  "plan_pipeline",
  "remember",
];

const reportOnly = {
  type: "object",
  properties: { report_only: { type: "boolean", description: "Change nothing" } },
  additionalProperties: false,
};

export const coreTools: readonly AnyTool[] = [
  requestCapability(),
  read("list_files", "Lists the files of the workspace"),
  defineTool<{ path: string; text: string }>({
    name: "write_file",
    description: "Writes a file of the workspace and returns its length",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, text: { type: "string" } },
      required: ["path", "text"],
      additionalProperties: false,
    },
    effects: ["write"],
    paths: { write: ["path"] },
    // An example writes nothing.
    execute: ({ text }) => text.length,
  }),
  write("run_command", "Runs a command in the workspace and returns its output"),
  read("check_environment", "Returns which workflow engines are installed"),
  read("plan_pipeline", "Returns a plan for a pipeline"),
  write("remember", "Keeps a note for later turns and returns its id"),
  read("review_pipeline", "Reviews a pipeline and returns findings"),
  read("lint_pipeline", "Runs the community lint over a pipeline and returns the findings"),
  write("run_compliance_autofix", "Checks a pipeline against the compliance rules, fixes it, and returns a report", {
    gated: true,
    inputSchema: reportOnly,
    effects: ["read"],
  }),
  write("apply_remediation_plan", "Applies a remediation plan and returns what changed", { gated: true }),
  read("list_compliance_rules", "Lists the compliance rules"),
  read("search_geo_sra", "Finds public sequencing data sets"),
  read("search_pubmed", "Finds articles on a subject"),
  read("web_research", "Researches a question on the web and returns a summary with sources"),
  write("extend_add_module", "Adds a module to an extension workspace and returns its path"),
  write("extend_link_module", "Links a module into the workflow of an extension workspace and returns the change"),
  write("autopilot_pipeline", "Runs a pipeline, repairs what breaks, and returns a report", {
    keywords: ["run", "repair", "fix"],
  }),
  write("run_built_pipeline", "Runs a built pipeline and returns its run id"),
  write("test_pipeline", "Runs the tests of a pipeline and returns their id"),
  read("check_test_result", "Returns the result of a test"),
  read("prepare_samplesheet_gate", "Checks a samplesheet and returns what is missing"),
  read("debug_last_run", "Returns why the last run failed"),
  read("analyze_run_log", "Reads the log of a run and returns its errors"),
];

const things =
  "sample read alignment variant peak gene transcript protein assembly contig reference index report cohort library adapter".split(
    " ",
  );
const verbs: Readonly<Record<string, string>> = {
  count: "Counts",
  list: "Lists",
  filter: "Filters and returns",
  merge: "Merges and returns",
  split: "Splits and returns",
  annotate: "Annotates and returns",
  compare: "Compares two sets and returns what differs in their",
  export: "Exports and returns a file of",
  import: "Imports and returns a number of",
  plot: "Plots and returns an image of",
  rank: "Ranks and returns",
  sort: "Sorts and returns",
  trim: "Trims and returns",
  validate: "Validates and returns the faults of",
  summarize: "Summarizes and returns",
  convert: "Converts and returns",
  download: "Downloads and returns",
  archive: "Archives and returns the place of",
  tag: "Tags and returns",
  deduplicate: "Removes duplicates and returns",
};

const source = (name: string, tools: readonly AnyTool[]): ToolSource => ({
  name,
  prefix: `mcp_${name}__`,
  tools: async () => tools,
  [Symbol.asyncDispose]: async () => undefined,
});

/** What servers bring: hundreds of tools, of which no request shows one that nobody looked for. */
export const sources: readonly ToolSource[] = [
  source(
    "lab",
    things.flatMap((thing) =>
      Object.entries(verbs).map(([verb, does]) => read(`${verb}_${thing}s`, `${does} ${thing}s of a study`)),
    ),
  ),
  source("nextflow", [
    read("lint_nextflow", "Lint a Nextflow pipeline with the language server and report problems."),
    read("build_container_image", "Builds a container image and returns its name", { enabled: false }),
  ]),
  source("fetch", [
    read("fetch", "Returns the text of a web page", {
      keywords: ["url"],
      inputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
    }),
  ]),
];
