/** Measures a steady stream of stores: the lag of enrichment behind their answers, and the effect of stores and enrichment on recall. */
import { until } from '../../support/checks/until.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { Random } from '../../support/fixtures/random.js';
import { corpusQuestion } from '../corpus/corpus.js';
import type { StoreWithVector } from '../corpus/store-with-vector.js';
import { atSteadyRate } from '../measuring/at-steady-rate.js';
import { controlEnricher, waitUntilEnriched } from '../measuring/enricher.js';
import { type Row, summarize, timingRow } from '../measuring/timing.js';
import { followEnriched } from './enriched-follower.js';

const STORES_PER_SECOND = 50;
const RECALLS_PER_SECOND = 10;
/** All are asked once before the measurement, so the service has their vectors cached. */
const QUESTIONS = 40;
const LAST_ENRICHED_WITHIN_MS = 600_000;

type Load = {
  readonly target: HttpCaller;
  readonly store: StoreWithVector;
  readonly random: Random;
  readonly seconds: number;
  readonly firstIndex: number;
};

/** Runs the same recalls three times, each with a reader of the feed: without stores, with stores and a paused enricher, with stores and enrichment. */
export async function measureEnrichmentLoad({
  target,
  store,
  random,
  seconds,
  firstIndex,
}: Load): Promise<readonly Row[]> {
  const questions = Array.from({ length: QUESTIONS }, () => corpusQuestion(random));
  const recall = async (index: number): Promise<number> => {
    const before = performance.now();
    const { status } = await target.request(
      'GET',
      `/recall?query=${encodeURIComponent(questions[index % QUESTIONS] ?? '')}&limit=5`,
    );
    if (status !== 200) throw new Error(`GET /recall answered ${status}`);
    return performance.now() - before;
  };
  const recalls = async (): Promise<readonly number[]> => {
    const durations: number[] = [];
    await atSteadyRate({ perSecond: RECALLS_PER_SECOND, seconds }, async (index) =>
      durations.push(await recall(index)),
    );
    return durations;
  };
  const stores = async (from: number): Promise<ReadonlyMap<string, number>> => {
    const answeredAt = new Map<string, number>();
    await atSteadyRate({ perSecond: STORES_PER_SECOND, seconds }, async (index) =>
      answeredAt.set(await store(from + index), performance.now()),
    );
    return answeredAt;
  };
  const recallRow = (what: string, durations: readonly number[]): Row =>
    timingRow(`recall, ${RECALLS_PER_SECOND}/s, ${what}`, summarize(durations, seconds * 1_000));

  for (let index = 0; index < QUESTIONS; index += 1) await recall(index);
  await waitUntilEnriched(target);
  const follower = await followEnriched(target);
  const rows = [recallRow('no stores', await recalls())];
  await controlEnricher(target, 'pause');
  const [unenriched] = await Promise.all([recalls(), stores(firstIndex)]);
  rows.push(recallRow(`with ${STORES_PER_SECOND} stores/s, enricher paused`, unenriched));
  await controlEnricher(target, 'resume');
  await waitUntilEnriched(target);
  const [enriched, answeredAt] = await Promise.all([recalls(), stores(firstIndex + STORES_PER_SECOND * seconds)]);
  rows.push(recallRow(`with ${STORES_PER_SECOND} stores/s, enricher running`, enriched));
  await until(
    'the feed shows every memory as enriched',
    () => [...answeredAt.keys()].every((id) => follower.seenAt.has(id)),
    LAST_ENRICHED_WITHIN_MS,
  );
  await follower.stop();
  return [...rows, lagRow(answeredAt, follower.seenAt)];
}

/** The feed may show the enrichment before the store's answer arrives; then the lag is 0. */
function lagRow(answeredAt: ReadonlyMap<string, number>, seenAt: ReadonlyMap<string, number>): Row {
  const lags = [...answeredAt].map(([id, at]) => Math.max(0, (seenAt.get(id) ?? Number.NaN) - at));
  const { p50, p95, p99, count } = summarize(lags, 1);
  return {
    what: `answer of a store to enriched, ${count} stores`,
    figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  };
}
