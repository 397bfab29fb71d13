import { kindOf } from "./kinds.ts";
import { inner } from "./nodes.ts";
import { type Node, syntax } from "./typescript.ts";
import type { View } from "./view.ts";

const writtenChars = 80;
const joining = new Set(["all", "allSettled", "race", "any"]);

/** The call of a tool, or of `Promise.all` and its like, whose promise an expression is, as the model wrote it. */
export async function promiseOf(expression: Node, view: View): Promise<string | undefined> {
  const type = await view.checker.getTypeAtLocation(expression);
  if (type === undefined || (await kindOf(type, view)) !== "promise") return undefined;
  return callOf(expression, view);
}

async function callOf(expression: Node, view: View): Promise<string | undefined> {
  const node = inner(expression);
  if (syntax.isIdentifier(node)) {
    const declared = await view.declarationOf(node);
    if (declared === undefined || !syntax.isVariableDeclaration(declared) || declared.initializer === undefined) {
      return undefined;
    }
    const isConst = (declared.parent.flags & syntax.NodeFlags.Const) !== 0 && declared.type === undefined;
    return isConst && declared.initializer !== node ? callOf(declared.initializer, view) : undefined;
  }
  if (!syntax.isCallExpression(node)) return undefined;
  const called = inner(node.expression);
  const isJoined =
    syntax.isPropertyAccessExpression(called) &&
    joining.has(called.name.text) &&
    called.expression.getText() === "Promise" &&
    view.isGlobal(called.expression);
  if (!isJoined && (await view.toolOf(await view.checker.getResolvedSignature(node))) === undefined) return undefined;
  const written = called.getText();
  return written.length <= writtenChars ? written : undefined;
}
