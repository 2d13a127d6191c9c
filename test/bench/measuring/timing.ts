/** Times calls of a service and prints the figures. Times are in milliseconds. */
import { setTimeout as pause } from 'node:timers/promises';

export type Timing = {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly perSecond: number;
};

type Work = (index: number) => Promise<unknown>;

/** Calls `work` `count` times from `clients` concurrent callers. The rate is over the whole run. */
export function timeCalls(count: number, clients: number, work: Work): Promise<Timing> {
  return timeWhile((index) => index < count, clients, work);
}

/** Calls `work` from `clients` concurrent callers until the job has ended. */
export async function timeDuring<T>(
  job: () => Promise<T>,
  clients: number,
  work: Work,
): Promise<{ readonly result: T; readonly seconds: number; readonly timing: Timing }> {
  let isOver = false;
  const running = inSeconds(job).finally(() => (isOver = true));
  const [ended, timing] = await Promise.all([running, timeWhile(() => !isOver, clients, work)]);
  return { ...ended, timing };
}

async function timeWhile(goesOn: (index: number) => boolean, clients: number, work: Work): Promise<Timing> {
  const durations: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const client = async (): Promise<void> => {
    for (let index = next++; goesOn(index); index = next++) {
      const before = performance.now();
      await work(index);
      durations.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return summarize(durations, performance.now() - startedAt);
}

/**
 * Calls `work` with 0, 1, 2 ..., `perSecond` times a second, and resolves when all calls have ended. A call does not
 * wait for the earlier ones, so a slow service gets no relief from waiting callers.
 */
export async function atSteadyRate(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  work: Work,
): Promise<void> {
  const startedAt = performance.now();
  const running: Promise<unknown>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    await pause(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
    running.push(work(index));
  }
  await Promise.all(running);
}

export async function inSeconds<T>(job: () => Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  const startedAt = performance.now();
  const result = await job();
  return { result, seconds: (performance.now() - startedAt) / 1_000 };
}

/** `elapsedMs` only matters for the rate. */
export function summarize(durations: readonly number[], elapsedMs = 1): Timing {
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const perSecond = (sorted.length / elapsedMs) * 1_000;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), perSecond };
}

export type Row = { readonly what: string; readonly figure: string; readonly floor?: string | undefined };

/** With the rate of the calls. */
export function timingRow(what: string, timing: Timing, floor?: string): Row {
  const figure = `${percentiles(timing)}, ${timing.perSecond.toFixed(0)}/s`;
  // A run takes minutes, so each figure is printed as soon as it is known.
  process.stderr.write(`${what}: ${figure}\n`);
  return { what, figure, floor };
}

/** Of times that no client of a steady rate measured, for example delays. */
export function delayRow(what: string, delays: readonly number[]): Row {
  return { what: `${what}, ${delays.length} times`, figure: percentiles(summarize(delays)) };
}

function percentiles({ p50, p95, p99 }: Timing): string {
  return `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

export function printTable(title: string, rows: readonly Row[]): void {
  const cells = rows.map(({ what, figure, floor = '' }) => [what, figure, floor]);
  console.log([`\n${title}`, ...tableLines([['what', 'figure', 'floor, same run'], ...cells])].join('\n'));
}

/** A table in lines: the first column starts at the left, the others end at the right. */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cellOf = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cellOf).join('  ').trimEnd());
}

/** A table as documents have it. */
export function printMarkdown(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  console.log(['', ...lines].join('\n'));
}
