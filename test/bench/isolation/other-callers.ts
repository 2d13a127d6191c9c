/** The callers that must not notice what one caller does: recalls, reads, stores, changes and reads of their own writes, each at a fixed rate. */
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { Random } from '../../support/fixtures/random.js';
import { corpusMemory, corpusQuestion } from '../corpus/corpus.js';
import { atSteadyRate } from '../measuring/at-steady-rate.js';
import { summarize, type Timing } from '../measuring/timing.js';

/** Calls per second. */
const RATES = { recall: 8, get: 8, store: 4, change: 2, 'own write': 2 } as const;
const QUESTIONS = 40;

export type CallKind = keyof typeof RATES;
export const CALL_KINDS = Object.keys(RATES) as readonly CallKind[];

export type CallFigures = {
  readonly timing: Timing;
  readonly failed: number;
  /** Status and body of the first failure, or the error. */
  readonly firstFailure: string | null;
};

export type OtherCallers = {
  /** Calls for so many seconds. A call that is not answered with 2xx has failed; its time counts too. */
  readonly call: (seconds: number) => Promise<Readonly<Record<CallKind, CallFigures>>>;
};

/**
 * The memories that these callers read and change are their own. Asks every question once, so that the service has the vectors of all.
 * `load`: multiplies the rates.
 */
export async function createOtherCallers(target: HttpCaller, random: Random, load: number): Promise<OtherCallers> {
  const questions = Array.from({ length: QUESTIONS }, () => encodeURIComponent(corpusQuestion(random)));
  for (const question of questions) await expectOk(target.request('GET', `/recall?query=${question}&limit=5`));
  let stored = 0;
  const store = (tag = 'other-callers'): ReturnType<HttpCaller['request']> =>
    expectOk(
      target.request('POST', '/memory', { body: { ...corpusMemory(random, (stored += 1), new Date()), tags: [tag] } }),
    );
  let started = 0;
  const ids: string[] = [];
  for (let count = 0; count < QUESTIONS; count += 1) ids.push((await store()).body.memory_id as string);

  const calls: Readonly<Record<CallKind, (index: number) => Promise<unknown>>> = {
    recall: (index) => expectOk(target.request('GET', `/recall?query=${questions[index % QUESTIONS] ?? ''}&limit=5`)),
    get: (index) => expectOk(target.request('GET', `/memory/${ids[index % ids.length] ?? ''}`)),
    store: () => store(),
    change: (index) =>
      expectOk(
        target.request('PATCH', `/memory/${ids[index % ids.length] ?? ''}`, {
          body: { importance: random.below(100) / 100 },
        }),
      ),
    'own write': async (index) => {
      const tag = `own-write:${started}:${index}`;
      const { headers, body } = await store(tag);
      const position = headers.get('memory-position') ?? '';
      const found = await expectOk(target.request('GET', `/recall?tags=${tag}&consistent_with=${position}`));
      const results = found.body.results as { readonly id: string }[];
      if (found.body.consistency.graph !== true || !results.some(({ id }) => id === body.memory_id))
        throw new Error(`A read with consistent_with=${position} did not show the write`);
    },
  };

  return {
    call: async (seconds) => {
      started += 1;
      const figures = CALL_KINDS.map(
        async (kind) => [kind, await measure({ perSecond: RATES[kind] * load, seconds }, calls[kind])] as const,
      );
      return Object.fromEntries(await Promise.all(figures)) as Record<CallKind, CallFigures>;
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
  return {
    timing: summarize(durations, rate.seconds * 1_000),
    failed: failures.length,
    firstFailure: failures[0] ?? null,
  };
}

async function expectOk(answer: ReturnType<HttpCaller['request']>): ReturnType<HttpCaller['request']> {
  const { status, body } = await answer;
  if (status >= 200 && status < 300) return answer;
  throw new Error(`answered ${status}: ${JSON.stringify(body).slice(0, 200)}`);
}
