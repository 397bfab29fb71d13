/** A graph in parts: nodes of one part reach each other; parts come after the parts that they lead to. */
export interface Parts {
  readonly order: readonly number[];
  /** Whether the edge closes a cycle. */
  isCyclic(from: number, to: number): boolean;
}

/** Tarjan's strongly connected components; recursion is as deep as there are nodes. */
export function findCycles(edges: readonly (readonly number[])[]): Parts {
  const order: number[] = [];
  const part = new Map<number, number>();
  const seen = new Map<number, number>();
  const stack: number[] = [];

  const visit = (node: number): number => {
    const number = seen.size;
    seen.set(node, number);
    stack.push(node);
    let low = number;
    for (const next of edges[node] ?? []) {
      const known = seen.get(next);
      if (known === undefined) low = Math.min(low, visit(next));
      else if (!part.has(next)) low = Math.min(low, known);
    }
    if (low === number) {
      for (let member = stack.pop(); member !== undefined; member = member === node ? undefined : stack.pop()) {
        part.set(member, number);
        order.push(member);
      }
    }
    return low;
  };
  edges.forEach((_, node) => {
    if (!seen.has(node)) visit(node);
  });
  return { order, isCyclic: (from, to) => part.get(from) === part.get(to) };
}
