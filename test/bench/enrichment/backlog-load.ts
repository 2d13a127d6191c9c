/** Measures how a backlog of enrichment affects callers: one client recalls, then stores, with the enricher paused and again with it running. */
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { Random } from '../../support/fixtures/random.js';
import { corpusQuestion } from '../corpus/corpus.js';
import type { StoreWithVector } from '../corpus/store-with-vector.js';
import { controlEnricher, pendingEnrichments, waitUntilEnriched } from '../measuring/enricher.js';
import { type Row, timeCalls, timingRow } from '../measuring/timing.js';

const RECALLS = 200;
const STORES = 200;
/** All are asked once before the measurement, so the service has their vectors cached. */
const QUESTIONS = 40;
const CLIENTS = 16;

export async function measureBacklogLoad({
  target,
  store,
  random,
  count,
  firstIndex,
}: {
  readonly target: HttpCaller;
  readonly store: StoreWithVector;
  readonly random: Random;
  /** Memories of the backlog. */
  readonly count: number;
  readonly firstIndex: number;
}): Promise<readonly Row[]> {
  const questions = Array.from({ length: QUESTIONS }, () => encodeURIComponent(corpusQuestion(random)));
  const recall = async (index: number): Promise<void> => {
    const { status } = await target.request('GET', `/recall?query=${questions[index % QUESTIONS] ?? ''}&limit=5`);
    if (status !== 200) throw new Error(`GET /recall answered ${status}`);
  };
  let next = firstIndex;
  const storeNext = async (): Promise<void> => void (await store((next += 1)));
  const callers = async (when: string): Promise<readonly Row[]> => [
    timingRow(`recall, 1 client, ${when}`, await timeCalls(RECALLS, 1, recall)),
    timingRow(`store, 1 client, ${when}`, await timeCalls(STORES, 1, storeNext)),
  ];

  for (let index = 0; index < QUESTIONS; index += 1) await recall(index);
  await waitUntilEnriched(target);
  await controlEnricher(target, 'pause');
  await timeCalls(count, CLIENTS, storeNext);
  const paused = await callers('backlog, enricher paused');
  await controlEnricher(target, 'resume');
  const before = await pendingEnrichments(target);
  const running = await callers('backlog, enricher running');
  const done = before - (await pendingEnrichments(target));
  await waitUntilEnriched(target);
  return [...paused, ...running, { what: `enriched meanwhile, of ${before}`, figure: `${done} memories` }];
}
