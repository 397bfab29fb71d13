import { notAProgram, type Rejection } from "./rejects.ts";
import type { Node, Program } from "./syntax.ts";

const commands = new Set(
  (
    "apt awk bash brew bun cargo cat cd chmod chown cp curl deno df docker dotnet du echo env find gcc git go grep head jq kill " +
    "kubectl less ln ls make man mkdir mv nano node npm npx pip pip3 pnpm ps pwd python python3 rm rmdir rsync ruby scp sed sh " +
    "ssh sudo tail tar tee touch tree uname unzip vim wc wget whoami xargs yarn zip zsh"
  ).split(" "),
);

const languages: Readonly<Record<string, string>> = {
  bash: "a shell script",
  sh: "a shell script",
  shell: "a shell script",
  zsh: "a shell script",
  console: "a shell script",
  powershell: "a shell script",
  python: "Python",
  py: "Python",
  sql: "SQL",
  go: "Go",
  rust: "Rust",
  java: "Java",
  ruby: "Ruby",
  php: "PHP",
};

const python =
  /^(?:(?:async )?def \w+\(.*\).*:|class \w+(?:\(.*\))?:|for [\w, ]+ in .+:|(?:if|elif|while|with) [^(].*:|(?:try|else|finally):|except.*:|from [\w.]+ import .+|import \w[\w.]*(?: as \w+)?|print .+)\s*(?:#.*)?$/;
const keyword =
  /^(?:abstract|async|await|break|case|class|const|continue|declare|delete|do|else|enum|export|for|function|if|import|interface|let|namespace|new|return|switch|throw|try|type|typeof|using|var|void|while|yield)\b/;

/** A fence that names another language settles the matter before any parse. */
export function rejectLabel(label: string): Rejection | undefined {
  const what = Object.hasOwn(languages, label) ? languages[label] : undefined;
  return what === undefined ? undefined : notAProgram(what);
}

/** Says what a text that did not parse, `offset` being where, seems to be; `undefined` where that is not plain. */
export function recognise(text: string, offset: number): Rejection | undefined {
  const lines = text.split(/\r?\n/);
  const first = (lines.find((line) => line.trim() !== "") ?? "").trim();
  // The parser may have stopped in the line after the one that is at fault.
  const at = text.slice(0, offset).split(/\r?\n/).length;
  const near = lines.slice(Math.max(0, at - 2), at);
  if (/^#!.*\b(?:ba|z|da)?sh\b/.test(first)) return notAProgram("a shell script");
  if (/^#!.*\bpython/.test(first)) return notAProgram("Python");
  const words = first.replace(/^\$ /, "").split(/\s+/);
  if (commands.has(words[0] ?? "") && !/^[=(.;]/.test(words[1] ?? "")) return notAProgram("a shell command");
  if (near.some((line) => python.test(line.trim()))) return notAProgram("Python");
  const plain = first.split(/\s+/);
  if (plain.length >= 3 && !keyword.test(first) && plain.every((word) => /^[\p{L}\p{N}'’"),.:!?-]+$/u.test(word))) {
    return notAProgram("prose");
  }
  return undefined;
}

function leftmost(node: Node): Node {
  let inner = node;
  while (inner.type === "BinaryExpression" || inner.type === "LogicalExpression") inner = inner.left;
  return inner;
}

/** A shell command such as `ls -la` parses, as a subtraction: expressions that begin with a bare command name nobody declared. */
export function isShellCommand(program: Program): boolean {
  return (
    program.body.length > 0 &&
    program.body.every((statement) => {
      if (statement.type !== "ExpressionStatement") return false;
      const word = leftmost(statement.expression);
      return word.type === "Identifier" && commands.has(word.name);
    })
  );
}
