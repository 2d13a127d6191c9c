/**
 * The callers that must not notice what one caller does: recalls, reads, stores, changes and reads of their own writes,
 * each at a fixed rate.
 */
import type { Random } from '../../support/fixtures/random.js';
import { corpusMemory } from '../corpus/corpus.js';
import { knownRecalls } from '../corpus/fill.js';
import type { Target } from '../measuring/run-bench.js';
import { atSteadyRate, summarize, type Timing } from '../measuring/timing.js';

/** Calls per second. */
const RATES = { recall: 8, get: 8, store: 4, change: 2, 'own write': 2 } as const;
const OWN_MEMORIES = 40;

export type CallFigures = {
  /** With the times of failed calls. */
  readonly timing: Timing;
  /** Of calls that were not answered with 2xx. */
  readonly failures: readonly string[];
};

export type OtherCallers = {
  /** Calls for so many seconds. Returns the figures of each kind of call. */
  readonly call: (seconds: number) => Promise<Readonly<Record<string, CallFigures>>>;
};

/** The memories that these callers read and change are their own. `load`: multiplies the rates. */
export async function createOtherCallers(target: Target, random: Random, load: number): Promise<OtherCallers> {
  const recall = await knownRecalls(target, random);
  let stored = 0;
  const store = (tag = 'other-callers') =>
    target.call('POST', '/memory', { ...corpusMemory(random, (stored += 1), new Date()), tags: [tag] });
  const ids: string[] = [];
  for (let count = 0; count < OWN_MEMORIES; count += 1) ids.push((await store()).body.memory_id as string);
  const own = (index: number): string => `/memory/${ids[index % ids.length] ?? ''}`;

  let started = 0;
  const calls: Readonly<Record<keyof typeof RATES, (index: number) => Promise<unknown>>> = {
    recall,
    get: (index) => target.call('GET', own(index)),
    store: () => store(),
    change: (index) => target.call('PATCH', own(index), { importance: random.below(100) / 100 }),
    'own write': async (index) => {
      const tag = `own-write:${started}:${index}`;
      const { headers, body } = await store(tag);
      const position = headers.get('memory-position') ?? '';
      const found = await target.call('GET', `/recall?tags=${tag}&consistent_with=${position}`);
      const results = found.body.results as { readonly id: string }[];
      if (found.body.consistency.graph !== true || !results.some(({ id }) => id === body.memory_id))
        throw new Error(`A read with consistent_with=${position} did not show the write`);
    },
  };

  return {
    call: async (seconds) => {
      started += 1;
      const kinds = Object.keys(RATES) as (keyof typeof RATES)[];
      const figures = kinds.map(
        async (kind) => [kind, await measure({ perSecond: RATES[kind] * load, seconds }, calls[kind])] as const,
      );
      return Object.fromEntries(await Promise.all(figures));
    },
  };
}

async function measure(
  rate: { readonly perSecond: number; readonly seconds: number },
  call: (index: number) => Promise<unknown>,
): Promise<CallFigures> {
  const durations: number[] = [];
  const failures: string[] = [];
  await atSteadyRate(rate, async (index) => {
    const before = performance.now();
    await call(index).catch((error: unknown) => failures.push(String(error).slice(0, 300)));
    durations.push(performance.now() - before);
  });
  return { timing: summarize(durations, rate.seconds * 1_000), failures };
}
