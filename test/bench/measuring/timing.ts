/** Measures the time of many calls: percentiles in milliseconds, and calls per second, with a given number of clients. */
export type Timing = {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly perSecond: number;
};

/** Calls `work` `count` times from `clients` concurrent callers. The rate is over the whole run. */
export async function timeCalls(
  count: number,
  clients: number,
  work: (index: number) => Promise<unknown>,
): Promise<Timing> {
  const durations: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const client = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const before = performance.now();
      await work(index);
      durations.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return summarize(durations, performance.now() - startedAt);
}

export function summarize(durations: readonly number[], elapsedMs: number): Timing {
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return {
    count: sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    perSecond: (sorted.length / elapsedMs) * 1000,
  };
}

export type Row = { readonly what: string; readonly figure: string; readonly floor?: string };

export function timingRow(what: string, timing: Timing, floor?: string): Row {
  const figure = `p50 ${timing.p50.toFixed(1)} ms, p95 ${timing.p95.toFixed(1)} ms, ${timing.perSecond.toFixed(0)}/s`;
  // A run takes minutes, so each figure is printed as soon as it is known.
  process.stderr.write(`${what}: ${figure}\n`);
  return floor === undefined ? { what, figure } : { what, figure, floor };
}

export function printTable(title: string, rows: readonly Row[]): void {
  const lines = rows.map(({ what, figure, floor }) => `| ${what} | ${figure} | ${floor ?? ''} |`);
  process.stdout.write(`\n${title}\n\n| what | figure | floor, same run |\n|---|---|---|\n${lines.join('\n')}\n`);
}
