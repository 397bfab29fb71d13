import type { CommandOptions } from "codecall";

const audit = { tools: ["run_compliance_autofix"], pins: { run_compliance_autofix: { report_only: true } } };
const reviewAll = { ...audit, tools: ["run_compliance_autofix", "review_pipeline", "lint_pipeline"] };

/** What a user may type, and the tools that it binds for the turn. */
export const commands: readonly CommandOptions[] = [
  {
    name: "review",
    tools: ["review_pipeline"],
    cases: [
      { flags: ["--compliance", "--quick"], ...audit, withhold: ["review_pipeline"] },
      { flags: ["--security", "--lint"], path: true, question: true, ...reviewAll },
    ],
  },
  { name: "audit", ...audit, withhold: ["review_pipeline"] },
  { name: "remediate", tools: ["run_compliance_autofix", "apply_remediation_plan"], lifts: ["run_compliance_autofix"] },
  { name: "autofix", tools: ["run_compliance_autofix", "apply_remediation_plan"], lifts: ["run_compliance_autofix"] },
  { name: "fix", tools: ["apply_remediation_plan"] },
  { name: "rules", tools: ["list_compliance_rules"] },
  { name: "searchData", tools: ["search_geo_sra", "search_pubmed"] },
  { name: "research", tools: ["web_research", "search_geo_sra", "search_pubmed"] },
  { name: "extend", tools: ["extend_*"] },
  {
    name: "run",
    tools: [
      "autopilot_pipeline",
      "run_built_pipeline",
      "test_pipeline",
      "check_test_result",
      "prepare_samplesheet_gate",
      "debug_last_run",
    ],
  },
  { name: "repair", tools: ["autopilot_pipeline", "analyze_run_log"] },
];
