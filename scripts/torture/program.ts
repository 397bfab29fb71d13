import { random } from "./random.ts";

/** What a program throws that is meant to fail. */
export const meant = "this program is meant to fail";

const writers = ["append", "append", "append", "put", "flaky", "slow", "relay"] as const;

/** A program that reads and writes in all the ways of waiting; each of its writes has a number of its own. */
export function programOf(run: string, seed: number): string {
  const below = random(seed);
  let n = 0;
  const write = (): string => {
    const name = writers[below(writers.length)] ?? "append";
    n += 1;
    return `tools.${name}({ run, n: ${n} }).catch(tell)`;
  };
  const read = (): string => `tools.look({ n: ${below(5)} })`;
  const one = (): string => (below(3) === 0 ? read() : write());
  const list = (count: number): string => Array.from({ length: count }, one).join(", ");
  function loop(): string {
    const times = 2 + below(10);
    const first = n + 1;
    n += times;
    const name = writers[below(writers.length)] ?? "append";
    const calls = `Array.from({ length: ${times} }, (_, i) => tools.${name}({ run, n: ${first} + i }).catch(tell))`;
    return below(2) === 0
      ? `seen.push(...(await Promise.all(${calls})));`
      : `for (let i = 0; i < ${times}; i += 1) seen.push(await tools.${name}({ run, n: ${first} + i }).catch(tell));`;
  }
  const statement = (depth: number): string => {
    switch (below(depth > 1 ? 7 : 9)) {
      case 0:
        return `seen.push(...(await Promise.all([${list(2 + below(3))}])));`;
      case 1:
        return `seen.push(await Promise.race([${list(2)}]));`;
      case 2:
        return `await new Promise((resolve) => setTimeout(resolve, ${below(8)}));`;
      case 3:
        return `seen.push((await Promise.allSettled([${list(2)}])).length, Date.now());`;
      case 4:
        return `seen.push(await ${one()});`;
      case 5:
        return loop();
      case 6:
        return `void ${one()}.then((value) => { seen.push(value); console.log(seen.length) });`;
      case 7:
        return `if (Math.random() < 0.5) { ${statement(depth + 1)} } else { ${statement(depth + 1)} }`;
      default:
        return `try { ${statement(depth + 1)} } finally { seen.push(await ${one()}); }`;
    }
  };
  const body = Array.from({ length: 2 + below(5) }, () => statement(0)).join("\n");
  const end = below(8) === 0 ? `throw new Error(${JSON.stringify(meant)});` : "return seen;";
  return `const run = ${JSON.stringify(run)};
const seen: unknown[] = [];
const tell = (error: unknown) => (error instanceof ToolError ? error.code : String(error));
${body}
${end}`;
}
