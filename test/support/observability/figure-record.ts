/** Records what Prometheus would scrape of running processes before a fault and during it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../checks/until.js';
import type { Fleet } from '../processes/fleet.js';

/** One process: its name and the text of its metrics. Rejects while the process does not answer. */
export type ScrapedProcess = { readonly instance: string; readonly read: () => Promise<string> };

/** The values of one moment, by series: `name{label="value",instance="…"}`. */
export type Sample = { readonly atMs: number; readonly values: ReadonlyMap<string, number> };

/** Two samples of a phase show how fast its counters and ages grow. */
export type Phase = { readonly first: Sample; readonly last: Sample };

export type FigureRecord = {
  /** Takes the samples of the time before the fault, the second one when a busy indexer has moved. */
  readonly before: () => Promise<void>;
  /**
   * Takes a sample during the fault. The last two count: the earlier ones may still show the end of work that began
   * before.
   */
  readonly during: () => Promise<void>;
  /** Takes samples during the fault until a counter with one of these labels has grown between two of them. */
  readonly duringGrowth: (...labels: readonly string[]) => Promise<void>;
  readonly phases: () => { readonly before: Phase; readonly during: Phase };
};

const LEAST_DISTANCE_MS = 1_000;
const SCRAPE_TIMEOUT_MS = 10_000;

/** The longest time until a batch of the indexer ends, or a request fails, on a busy machine. */
const NOTICED_MS = 30_000;
const INDEXER = '{projector="vector-indexer",';

/** `processes` is called for each sample, because a fault may stop and start processes. */
export function recordFigures(processes: () => readonly ScrapedProcess[]): FigureRecord {
  const samples = { before: new Array<Sample>(), during: new Array<Sample>() };

  async function take(phase: readonly Sample[]): Promise<Sample> {
    const waitMs = (phase.at(-1)?.atMs ?? -Infinity) + LEAST_DISTANCE_MS - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const atMs = performance.now();
    const scrapes = await Promise.all(processes().map(seriesOf));
    return { atMs, values: new Map(scrapes.flat()) };
  }

  function phaseOf(name: keyof typeof samples): Phase {
    const [first, last] = samples[name].slice(-2);
    if (first === undefined || last === undefined)
      throw new Error(`Fewer than two samples were taken ${name} the fault: the test that takes them failed`);
    return { first, last };
  }

  const during = async (): Promise<Sample> => {
    const sample = await take(samples.during);
    samples.during.push(sample);
    return sample;
  };

  return {
    before: async () => {
      const first = await take([]);
      samples.before.push(first);
      await until(
        'the indexer moves',
        async () => {
          const last = await take(samples.before);
          samples.before[1] = last;
          const [reached, moved] = [first, last].map((sample) =>
            sum(sample, `palimpsest_projector_position${INDEXER}`),
          );
          return moved !== reached || sum(last, `palimpsest_projector_lag_events${INDEXER}`) === 0;
        },
        NOTICED_MS,
      );
    },
    during: async () => void (await during()),
    duringGrowth: async (...labels) => {
      let last = await during();
      await until(
        `a counter with ${labels.join(' or ')} grows`,
        async () => {
          const before = last;
          last = await during();
          return [...last.values].some(
            ([series, value]) =>
              labels.some((label) => series.includes(label)) && value > (startOf(series, before) ?? value),
          );
        },
        NOTICED_MS,
      );
    },
    phases: () => ({ before: phaseOf('before'), during: phaseOf('during') }),
  };
}

/** Of all series whose name or labels contain this text. */
function sum({ values }: Sample, text: string): number {
  return [...values].reduce((total, [series, value]) => (series.includes(text) ? total + value : total), 0);
}

/**
 * The value of a counter in this sample; 0 before its first count, null for a process that was not scraped: it may have
 * counted long before.
 */
export function startOf(series: string, { values }: Sample): number | null {
  const instance = series.slice(series.lastIndexOf('instance='));
  return values.get(series) ?? ([...values.keys()].some((other) => other.endsWith(instance)) ? 0 : null);
}

/** All processes of a fleet. */
export function processesOf(fleet: Fleet): readonly ScrapedProcess[] {
  return (['command-api', 'relay', 'projectors', 'query-api'] as const).flatMap((kind) =>
    fleet.members(kind).map(({ port, metricsPort }) => ({
      instance: `${kind}:${port}`,
      read: () => readMetrics(metricsPort),
    })),
  );
}

/** The metrics that a process serves on this port. */
export async function readMetrics(port: number): Promise<string> {
  const signal = AbortSignal.timeout(SCRAPE_TIMEOUT_MS);
  return await (await fetch(`http://127.0.0.1:${port}/metrics`, { signal })).text();
}

/** A process that does not answer has no series, as in Prometheus. */
async function seriesOf({ instance, read }: ScrapedProcess): Promise<readonly (readonly [string, number])[]> {
  const text = await read().catch(() => '');
  return text
    .split('\n')
    .filter((line) => line.startsWith('palimpsest_'))
    .map((line) => {
      const [series, value] = [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)];
      const labels = series.endsWith('}') ? `${series.slice(0, -1)},` : `${series}{`;
      return [`${labels}instance="${instance}"}`, Number(value)] as const;
    });
}
