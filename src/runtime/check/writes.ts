// What a program may write into values, in whatever form: assignments, patterns, loops, `delete`, and the functions of the
// language that write. Of these a mention that is not a plain call counts as a call with anything, as do all ways to reach
// them by a name that the text does not tell. Only JSON values are asked about: no Map, no private field.
import { fieldOf, inner, isAccess, nameOf, outer, targetOf } from "./nodes.ts";
import { type CallExpression, type Node, syntax } from "./typescript.ts";

export interface Writes {
  /** Fields that are written somewhere. */
  readonly fields: ReadonlySet<string>;
  /** Whether fields are written whose names the text does not tell. */
  readonly anyField: boolean;
  /** Whether items are put into lists that a tool may have given. */
  readonly anyItem: boolean;
  /** Variables that get another value, or into whose own list or object something is written. */
  readonly changed: ReadonlySet<string>;
  /** What stands where it is written to. */
  readonly targets: ReadonlySet<Node>;
}

const listWriters = new Set("push unshift splice fill copyWithin".split(" "));
const fieldWriters = new Set(
  "assign defineProperty defineProperties setPrototypeOf __proto__ __defineGetter__ __defineSetter__".split(" "),
);
/** Ways to call what is not named. */
const callers = new Set("call apply bind prototype".split(" "));
const everything = new Set("eval Function globalThis self window global".split(" "));
const readers = new Set(
  "get has ownKeys getPrototypeOf getOwnPropertyDescriptor isExtensible construct preventExtensions".split(" "),
);
const isIndex = (name: string): boolean => /^\d+$/.test(name);

export function writesOf(nodes: readonly Node[], fresh: ReadonlySet<string>): Writes {
  const fields = new Set<string>();
  const changed = new Set<string>();
  const targets = new Set<Node>();
  let anyField = false;
  let anyItem = false;

  function anything(): void {
    anyField = true;
    anyItem = true;
  }

  /** Something is written into a value: into one that the program made itself, or else `elsewhere`. */
  function into(value: Node, elsewhere: () => void): void {
    const node = inner(value, true);
    if (syntax.isObjectLiteralExpression(node) || syntax.isArrayLiteralExpression(node)) return;
    if (syntax.isIdentifier(node) && fresh.has(node.text)) changed.add(node.text);
    else elsewhere();
  }

  function writeField(value: Node, name: string | undefined): void {
    if (name === undefined) return into(value, anything);
    if (fieldWriters.has(name)) anything();
    fields.add(name);
    into(value, () => {
      if (isIndex(name)) anyItem = true;
    });
  }

  function write(target: Node): void {
    const to = inner(target, true);
    targets.add(to);
    if (syntax.isIdentifier(to)) changed.add(to.text);
    else if (isAccess(to)) writeField(to.expression, fieldOf(to));
    else if (syntax.isBinaryExpression(to)) write(to.left);
    else if (syntax.isSpreadElement(to)) write(to.expression);
    else if (syntax.isArrayLiteralExpression(to)) to.elements.forEach(write);
    else if (syntax.isObjectLiteralExpression(to)) {
      for (const property of to.properties) {
        mention(nameOf(property) ?? "");
        if (syntax.isPropertyAssignment(property)) write(property.initializer);
        else if (syntax.isSpreadAssignment(property)) write(property.expression);
        else if (syntax.isShorthandPropertyAssignment(property)) write(property.name);
      }
    }
  }

  function mention(name: string): void {
    if (listWriters.has(name)) anyItem = true;
    if (fieldWriters.has(name)) anything();
  }

  /** `Object.assign`, `Object.defineProperty`, `Reflect.set` and their like, called by their names. */
  function callWriter({ arguments: [to, ...others] }: CallExpression, method: string): void {
    if (to === undefined) return;
    if (method === "assign") {
      for (const from of others) assign(to, inner(from, true));
      return;
    }
    const [key] = others;
    const name = key === undefined ? undefined : inner(key, true);
    const isNamed = name !== undefined && syntax.isStringLiteralLikeNode(name);
    if (method === "defineProperty" || method === "set") writeField(to, isNamed ? name.text : undefined);
    else into(to, anything);
  }

  function assign(to: Node, from: Node): void {
    if (!syntax.isObjectLiteralExpression(from)) return into(to, anything);
    for (const property of from.properties) {
      if (syntax.isSpreadAssignment(property)) assign(to, inner(property.expression, true));
      else writeField(to, nameOf(property));
    }
  }

  function seeProperty(node: syntax.PropertyAccessExpression): void {
    const name = node.name.text;
    const whole = outer(node);
    const call = syntax.isCallExpression(whole.parent) && whole.parent.expression === whole ? whole.parent : undefined;
    const isOf = (owner: string): boolean => inner(node.expression, true).getText() === owner;
    const isPlainCall = call !== undefined && !call.arguments.some((one) => syntax.isSpreadElement(one));
    if (listWriters.has(name)) {
      if (call === undefined) anyItem = true;
      else into(node.expression, () => (anyItem = true));
    } else if (isPlainCall && (isOf("Object") || isOf("Reflect")) && (fieldWriters.has(name) || name === "set")) {
      callWriter(call, name);
    } else if (fieldWriters.has(name) || (isOf("Reflect") && !readers.has(name))) {
      anything();
    } else if (callers.has(name)) {
      anything();
    }
  }

  function seeName(node: syntax.Identifier): void {
    const { parent } = node;
    const isOwner = syntax.isPropertyAccessExpression(parent) && parent.expression === node;
    const isNamed = syntax.isPropertyAccessExpression(parent) && parent.name === node;
    if (isNamed || syntax.isTypeReferenceNode(parent) || isInstanceTest(parent)) return;
    if (everything.has(node.text)) anything();
    if (node.text === "Reflect" && !isOwner) anything();
    const isCalled = syntax.isCallExpression(parent) && parent.expression === node;
    if (node.text === "Object" && !isOwner && !isCalled) anything();
  }

  for (const node of nodes) {
    const target = targetOf(node);
    if (target !== undefined) write(target);
    if (syntax.isPropertyAccessExpression(node)) seeProperty(node);
    else if (syntax.isStringLiteralLikeNode(node)) mention(node.text);
    else if (syntax.isBindingElement(node)) mention((node.propertyName ?? node.name)?.getText() ?? "");
    else if (syntax.isIdentifier(node)) seeName(node);
    else if (syntax.isCallExpression(node)) {
      // A method by a name that is worked out may be one that writes.
      const called = inner(node.expression, true);
      if (isAccess(called) && fieldOf(called) === undefined && called.expression.getText() !== "tools") {
        into(called.expression, anything);
      }
    }
  }
  return { fields, anyField, anyItem, changed, targets };
}

const isInstanceTest = (node: Node): boolean =>
  syntax.isBinaryExpression(node) && node.operatorToken.kind === syntax.SyntaxKind.InstanceOfKeyword;
