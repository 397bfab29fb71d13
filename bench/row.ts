/** One measured thing. Rows of a case are sampled in turn, round by round, so that noise falls on all of them alike. */
export interface Row {
  readonly name: string;
  readonly unit: "us" | "ms" | "KB" | "MB" | "1/s" | "tokens" | "share";
  /** What one round gives: one figure, or many of which the quantiles are taken together. */
  sample(round: number): Promise<number | readonly number[]>;
  /** The row of the same case, or the ideal figure, that the median is divided by. */
  readonly against?: string | number;
}

export interface Case {
  readonly name: string;
  readonly rounds: number;
  readonly rows: readonly Row[];
  close(): PromiseLike<void>;
}

export interface Figure {
  readonly case: string;
  readonly row: string;
  readonly unit: Row["unit"];
  readonly median: number;
  readonly p95: number;
  readonly samples: number;
  readonly ratio?: number;
  readonly against?: string | number;
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** Milliseconds that `work` took. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs a case: one unmeasured round, then its rounds with all rows in turn. */
export async function measure(one: Case): Promise<Figure[]> {
  const samples = one.rows.map((): number[] => []);
  for (let round = 0; round <= one.rounds; round++) {
    for (const [index, row] of one.rows.entries()) {
      const got = await row.sample(round);
      if (round > 0) samples[index]?.push(...(typeof got === "number" ? [got] : got));
    }
  }
  const sorted = new Map(one.rows.map((row, index) => [row.name, (samples[index] ?? []).toSorted((a, b) => a - b)]));
  return one.rows.map((row) => {
    const own = sorted.get(row.name) ?? [];
    const median = quantile(own, 0.5);
    const figure = {
      case: one.name,
      row: row.name,
      unit: row.unit,
      median,
      p95: quantile(own, 0.95),
      samples: own.length,
    };
    if (row.against === undefined) return figure;
    const base = typeof row.against === "number" ? row.against : quantile(sorted.get(row.against) ?? [], 0.5);
    return { ...figure, ratio: median / base, against: row.against };
  });
}
