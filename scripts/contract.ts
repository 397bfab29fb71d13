// Holds docs/contract.md and the tests together: each behaviour has a test, each test names the behaviours it proves.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readTitles } from "./titles.ts";

export interface ContractReport {
  readonly problems: readonly string[];
  /** Titles that prove each behaviour, in the order of the contract. */
  readonly proofs: ReadonlyMap<string, number>;
  readonly tests: number;
}

/** Compares the text of the contract with the texts of the test files, by path. */
export function checkContract(contract: string, files: ReadonlyMap<string, string>): ContractReport {
  const problems: string[] = [];
  const proofs = new Map<string, number>();
  for (const [index, line] of contract.split("\n").entries()) {
    const number = /^- \*\*([A-Z]\d+)\*\* \S/.exec(line)?.[1];
    if (number === undefined) {
      if (/^\s*[-*] /.test(line))
        problems.push(`docs/contract.md:${index + 1}: a behaviour begins with "- **X1** " and a text`);
      continue;
    }
    if (proofs.has(number)) problems.push(`docs/contract.md:${index + 1}: ${number} is listed twice`);
    proofs.set(number, 0);
  }
  let tests = 0;
  for (const [path, text] of files) {
    for (const title of readTitles(text)) {
      tests += 1;
      const numbers = /^((?:[A-Z]\d+ )+)/
        .exec(title.start ?? "")?.[1]
        ?.trim()
        .split(" ");
      if (numbers === undefined) {
        problems.push(`${path}:${title.line}: a title begins, as literal text, with the numbers it proves: "X1 ..."`);
        continue;
      }
      for (const number of numbers) {
        const count = proofs.get(number);
        if (count === undefined) problems.push(`${path}:${title.line}: ${number} is not in docs/contract.md`);
        else if (title.proves) proofs.set(number, count + 1);
      }
    }
  }
  for (const [number, count] of proofs) {
    if (count === 0) problems.push(`docs/contract.md: no test proves ${number}`);
  }
  return { problems, proofs, tests };
}

/** One line a group of numbers: how many behaviours, by how many titles. */
export function renderReport({ proofs, tests }: ContractReport): string {
  const groups = Map.groupBy(proofs, ([number]) => number.charAt(0));
  const rows = [...groups].map(([group, entries]) => {
    const titles = entries.reduce((sum, [, count]) => sum + count, 0);
    return `${group}  ${String(entries.length).padStart(3)} behaviours  ${String(titles).padStart(4)} titles`;
  });
  return [...rows, `${proofs.size} behaviours, ${tests} tests`].join("\n");
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const paths = globSync("test/**/*.test.ts", { cwd: root }).toSorted();
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const report = checkContract(readFileSync(join(root, "docs/contract.md"), "utf8"), files);
  console.log(renderReport(report));
  for (const problem of report.problems) console.error(problem);
  if (report.problems.length > 0) process.exitCode = 1;
}
