import { expect, it } from "vitest";
import { useRuntime } from "../agent/fixture.ts";
import { tracker } from "./tracker.ts";

const runtime = useRuntime();

/** Programs with one fault each, and what is said of it, after its line and column. */
const wrong: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "a tool that is not there": [
    [
      'return await tools.get_isue({ owner: "a", repo: "b", issue_number: 1 })',
      '1:20 there is no tool "get_isue"; did you mean tools.get_issue?',
    ],
    [
      'return await tools.getIssue({ owner: "a", repo: "b", issue_number: 1 })',
      '1:20 there is no tool "getIssue"; did you mean tools.get_issue?',
    ],
    [
      'const [a] = await Promise.all([tools.list_isues({ owner: "a", repo: "b" })]); return a',
      '1:38 there is no tool "list_isues"; did you mean tools.list_issues?',
    ],
    [
      'return await tools["fetch-pages"]({ url: "x" })',
      '1:20 there is no tool "fetch-pages"; did you mean tools.fetch_page?',
    ],
    ['return await tools.fetchPage({ url: "x" })', '1:20 there is no tool "fetchPage"; did you mean tools.fetch_page?'],
    [
      'const { search_issues } = tools; return await search_issues({ query: "x" })',
      '1:9 there is no tool "search_issues"',
    ],
    ["return await tools.delete_everything({})", '1:20 there is no tool "delete_everything"'],
    [
      'async function main() { return await tools.serch({ query: "x" }) }',
      '1:44 there is no tool "serch"; did you mean tools.search?',
    ],
  ],
  "arguments that are not one object": [
    ["return await tools.get_issue()", "1:14 tools.get_issue takes one object with its arguments, got none"],
    [
      'return await tools.get_issue("a", "b", 1)',
      "1:14 tools.get_issue takes one object with its arguments, got 3 values",
    ],
    ['return await tools.get_issue("a/b#1")', '1:30 tools.get_issue takes one object, got "a/b#1"'],
    ['return await tools.search(["x"])', "1:27 tools.search takes one object, got an array"],
    ["return await tools.add_comment(1)", "1:32 tools.add_comment takes one object, got 1"],
  ],
  "arguments that nobody declared": [
    [
      'return await tools.get_issue({ owner: "a", repo: "b", issueNumber: 1 })',
      '1:55 tools.get_issue has no argument "issueNumber"; did you mean "issue_number"?',
    ],
    [
      'return await tools.get_issue({ owner: "a", repo: "b", issue_nubmer: 1 })',
      '1:55 tools.get_issue has no argument "issue_nubmer"; did you mean "issue_number"?',
    ],
    [
      'return await tools.get_issue({ owner: "a", repo: "b", issue_number: 1, verbose: true })',
      '1:72 tools.get_issue has no argument "verbose"; it has owner, repo, issue_number',
    ],
    [
      'return await tools.list_issues({ owner: "a", repo: "b", perPage: 5 })',
      '1:57 tools.list_issues has no argument "perPage"; did you mean "per_page"?',
    ],
    [
      'return await tools.list_issues({ owner: "a", repo: "b", stat: "open" })',
      '1:57 tools.list_issues has no argument "stat"; did you mean "state"?',
    ],
    [
      'return await tools.list_issues({ owner: "a", repo: "b", filter: { since: "x", auther: "y" } })',
      '1:79 tools.list_issues has no argument "auther" in filter; did you mean "author"?',
    ],
    [
      'return await tools.add_comment({ issue_number: 1, body: "x", target: { line: 1, file: "y" } })',
      '1:81 tools.add_comment has no argument "file" in target; it has line, path',
    ],
    ["return await tools.ping({ now: true })", '1:27 tools.ping has no argument "now"; it has none'],
  ],
  "arguments that are missing": [
    ['return await tools.get_issue({ owner: "a", repo: "b" })', '1:30 tools.get_issue needs "issue_number"'],
    ["return await tools.get_issue({ issue_number: 1 })", '1:30 tools.get_issue needs "owner", "repo"'],
    ["return await tools.get_issue({})", '1:30 tools.get_issue needs "owner", "repo", "issue_number"'],
    [
      'return await tools.list_issues({ owner: "a", repo: "b", filter: {} })',
      '1:65 tools.list_issues needs "since" in filter',
    ],
    [
      'return await tools.add_comment({ issue_number: 1, body: "x", target: { path: "y" } })',
      '1:70 tools.add_comment needs "line" in target',
    ],
    [
      'const args = { owner: "a", repo: "b" }; return await tools.get_issue(args)',
      '1:14 tools.get_issue needs "issue_number"',
    ],
    ['return await tools["fetch-page"]({})', '1:34 tools.fetch_page needs "url"'],
  ],
  "arguments of another type": [
    [
      'return await tools.get_issue({ owner: "a", repo: "b", issue_number: "1" })',
      '1:69 tools.get_issue takes "issue_number" as number, got "1"',
    ],
    [
      'return await tools.get_issue({ owner: 1, repo: "b", issue_number: 1 })',
      '1:39 tools.get_issue takes "owner" as string, got 1',
    ],
    [
      'return await tools.list_issues({ owner: "a", repo: "b", state: "opened" })',
      '1:64 tools.list_issues takes "state" as "all" | "closed" | "open", got "opened"; did you mean "open"?',
    ],
    [
      'return await tools.list_issues({ owner: "a", repo: "b", labels: "bug" })',
      '1:65 tools.list_issues takes "labels" as string[], got "bug"',
    ],
    [
      'return await tools.list_issues({ owner: "a", repo: "b", labels: ["bug", 5] })',
      '1:73 tools.list_issues takes "labels[1]" as string, got 5',
    ],
    [
      'return await tools.list_issues({ owner: "a", repo: "b", filter: "since" })',
      '1:65 tools.list_issues takes "filter" as { since: string; author?: string; }, got "since"',
    ],
    [
      'return await tools.add_comment({ issue_number: 1, body: ["x"] })',
      '1:57 tools.add_comment takes "body" as string, got an array',
    ],
    [
      'return await tools.add_comment({ issue_number: 1, body: "x", draft: "yes" })',
      '1:69 tools.add_comment takes "draft" as boolean, got "yes"',
    ],
    [
      'return await tools.add_comment({ issue_number: 1, body: { text: "x" } })',
      '1:57 tools.add_comment takes "body" as string, got an object',
    ],
    [
      "const page = 1; return await tools.fetch_page({ url: page })",
      '1:54 tools.fetch_page takes "url" as string, got a number',
    ],
    [
      'const issue = await tools.get_issue({ owner: "a", repo: "b", issue_number: 1 }); return await tools.add_comment({ issue_number: issue.title, body: "x" })',
      '1:129 tools.add_comment takes "issue_number" as number, got a string',
    ],
    [
      'const found = await tools.search({ query: "x" }); return await tools.add_comment({ issue_number: found.items, body: "x" })',
      '1:98 tools.add_comment takes "issue_number" as number, got an array',
    ],
    ["return await tools.search({ query: 5 })", '1:36 tools.search takes "query" as string | string[], got 5'],
    ['return await tools.search({ query: "x", max: "10" })', '1:46 tools.search takes "max" as number, got "10"'],
    [
      'const issue = await tools.get_issue({ owner: "a", repo: "b", issue_number: 1 }); return await tools.add_comment({ issue_number: issue.id.toString(), body: "x" })',
      '1:129 tools.add_comment takes "issue_number" as number, got a string',
    ],
    [
      'const found = await tools.search({ query: "x" }); return await Promise.all(found.items.map((item) => tools.add_comment({ issue_number: item.title, body: "x" })))',
      '1:136 tools.add_comment takes "issue_number" as number, got a string',
    ],
    [
      "return await tools.add_comment({ issue_number: 1, body: undefined })",
      '1:57 tools.add_comment takes "body" as string, got undefined',
    ],
    [
      "return await tools.add_comment({ issue_number: 1, body: null })",
      '1:57 tools.add_comment takes "body" as string, got null',
    ],
    [
      'const number = "1"; return await tools.add_comment({ issue_number: number, body: "x" })',
      '1:68 tools.add_comment takes "issue_number" as number, got a string',
    ],
    [
      'const args = { owner: "a", repo: "b", labels: ["x"], state: 5 }; console.log(args.labels.length, args.owner); return await tools.list_issues(args)',
      '1:61 tools.list_issues takes "state" as "all" | "closed" | "open", got 5',
    ],
    [
      'return await tools.add_comment({ issue_number: 1, body: () => "x" })',
      '1:57 tools.add_comment takes "body" as string, got a function',
    ],
  ],
  "fields that are not there": [
    [
      'const issue = await tools.get_issue({ owner: "a", repo: "b", issue_number: 1 }); return issue.titel',
      '1:95 issue has no field "titel"; did you mean "title"?',
    ],
    [
      'const issue = await tools.get_issue({ owner: "a", repo: "b", issue_number: 1 }); return issue.body',
      '1:95 issue has no field "body"; it has id, title, state, labels, assignee, created_at',
    ],
    [
      'const { title, body } = await tools.get_issue({ owner: "a", repo: "b", issue_number: 1 }); return title + body',
      '1:16 the result of tools.get_issue(...) has no field "body"; it has id, title, state, labels, assignee, created_at',
    ],
    [
      'const issues = await tools.list_issues({ owner: "a", repo: "b" }); return issues.items.length',
      '1:82 issues has no field "items"; it is an array',
    ],
    [
      'const issues = await tools.list_issues({ owner: "a", repo: "b" }); return issues.map((issue) => issue.name)',
      '1:103 issue has no field "name"; it has id, title, state, labels, assignee, created_at',
    ],
    [
      'const issues = await tools.list_issues({ owner: "a", repo: "b" }); let n = 0; for (const issue of issues) n += issue.labels.filter((label) => label.title === "bug").length; return n',
      '1:149 label has no field "title"; it has name, color',
    ],
    [
      'const found = await tools.search({ query: "x" }); return found.totalCount',
      '1:64 found has no field "totalCount"; did you mean "total_count"?',
    ],
    [
      'const found = await tools.search({ query: "x" }); return found["total_cout"]',
      '1:64 found has no field "total_cout"; did you mean "total_count"?',
    ],
    [
      'const issue = await tools.get_issue({ owner: "a", repo: "b", issue_number: 1 }); return issue.assignee.userName',
      '1:104 issue.assignee has no field "userName"; did you mean "user_name"?',
    ],
    [
      'const issue = await tools.get_issue({ owner: "a", repo: "b", issue_number: 1 }); return issue.created_at.getTime()',
      '1:106 issue.created_at has no field "getTime"; it is a string',
    ],
    [
      'const n = await tools.add_comment({ issue_number: 1, body: "x" }); return n.id',
      '1:77 n has no field "id"; it is a number',
    ],
    [
      'const [first] = await tools.list_issues({ owner: "a", repo: "b" }); return first.number',
      '1:82 first has no field "number"; it has id, title, state, labels, assignee, created_at',
    ],
    [
      'const results = await Promise.all([1, 2].map((n) => tools.get_issue({ owner: "a", repo: "b", issue_number: n }))); return results.map((r) => r.url)',
      '1:144 r has no field "url"; it has id, title, state, labels, assignee, created_at',
    ],
    [
      'const issue = await tools.get_issue({ owner: "a", repo: "b", issue_number: 1 }); return issue.map((one) => one)',
      '1:95 issue has no field "map"; it has id, title, state, labels, assignee, created_at',
    ],
    [
      'const issues = await tools.list_issues({ owner: "a", repo: "b" }); const counts = {}; const seen = []; for (const i of issues) { counts[i.state] = (counts[i.state] ?? 0) + 1; seen.push(i.titel) } return { counts, seen }',
      '1:188 i has no field "titel"; did you mean "title"?',
    ],
    [
      'const issues = await tools.list_issues({ owner: "a", repo: "b" }); return issues.reduce((sum, issue) => { sum[issue.state] = issue.number; return sum }, {})',
      '1:132 issue has no field "number"; it has id, title, state, labels, assignee, created_at',
    ],
    [
      'return (await tools.search({ query: "x" })).items.map(({ titel }) => titel)',
      '1:58 the value has no field "titel"; did you mean "title"?',
    ],
  ],
  "promises used as their values": [
    [
      "return await tools.add_comment({ issue_number: 1, body: tools.ping() })",
      "1:57 tools.ping(...) gives a promise, which is used as an argument: await it first",
    ],
    [
      'const issue = tools.get_issue({ owner: "a", repo: "b", issue_number: 1 }); return issue.title',
      "1:89 tools.get_issue(...) gives a promise, which is used as if it were its value (.title): await it first",
    ],
    [
      'return tools.get_issue({ owner: "a", repo: "b", issue_number: 1 }).title',
      "1:68 tools.get_issue(...) gives a promise, which is used as if it were its value (.title): await it first",
    ],
    [
      'for (const issue of tools.list_issues({ owner: "a", repo: "b" })) console.log(issue.title)',
      "1:21 tools.list_issues(...) gives a promise, which is used as a list: await it first",
    ],
    [
      'return 1 + tools.add_comment({ issue_number: 1, body: "x" })',
      "1:12 tools.add_comment(...) gives a promise, which is used as a side of +: await it first",
    ],
    [
      "const all = Promise.all([tools.ping(), tools.ping()]); return all.length",
      "1:67 Promise.all(...) gives a promise, which is used as if it were its value (.length): await it first",
    ],
    [
      'const [first] = tools.list_issues({ owner: "a", repo: "b" }); return first',
      "1:17 tools.list_issues(...) gives a promise, which is used as a list: await it first",
    ],
    [
      'const n = tools.add_comment({ issue_number: 1, body: "x" }); return n > 3 ? "many" : "few"',
      "1:69 tools.add_comment(...) gives a promise, which is used as a side of >: await it first",
    ],
    [
      'return [...tools.list_issues({ owner: "a", repo: "b" })].length',
      "1:12 tools.list_issues(...) gives a promise, which is used as a list: await it first",
    ],
    [
      'const issues = tools.list_issues({ owner: "a", repo: "b" }); return issues.filter((issue) => issue.state === "open")',
      "1:76 tools.list_issues(...) gives a promise, which is used as if it were its value (.filter): await it first",
    ],
  ],
};

for (const [kind, programs] of Object.entries(wrong)) {
  it.each(programs)(`X11 ${kind}: %s`, async (code, said) => {
    const result = await runtime.run(code, tracker);
    if (result.status !== "failed") throw new Error(result.toModel());
    const { code: fault, line, column, message } = result.error;
    expect([fault, `${line}:${column} ${message}`, result.calls]).toEqual(["type_error", said, []]);
  });
}

it("X11 there are at least 60 of them", () => {
  expect(Object.values(wrong).flat().length).toBeGreaterThanOrEqual(60);
});
