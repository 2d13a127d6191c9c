/** What a steady stream of stores brings: how far enrichment lags behind their answers, and what recall pays for the stores and for enrichment. */
import type { HttpCaller } from '../support/http-caller.js';
import type { Random } from '../support/random.js';
import { until } from '../support/until.js';
import { corpusQuestion } from './corpus.js';
import { followEnriched } from './follow-enriched.js';
import type { StoreGiven } from './given-memory.js';
import { summarize, timingRow, type Row } from './measure.js';
import { atSteadyRate } from './steady-rate.js';
import { allEnriched, steerEnricher } from './steer-enricher.js';

const STORES_PER_SECOND = 50;
const RECALLS_PER_SECOND = 10;
/** All are asked before anything is measured: their vectors are remembered. */
const QUESTIONS = 40;
const LAST_ENRICHED_WITHIN_MS = 600_000;

type Load = {
  readonly target: HttpCaller;
  readonly store: StoreGiven;
  readonly random: Random;
  readonly seconds: number;
  readonly firstIndex: number;
};

/** Three runs of the same recalls, with a reader of the feed in each: alone, beside stores with the enricher paused, and beside stores that are enriched. */
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
    if (status !== 200) throw new Error(`A recall was answered ${status}`);
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
  await allEnriched(target);
  const follower = await followEnriched(target);
  const rows = [recallRow('nothing beside', await recalls())];
  await steerEnricher(target, 'pause');
  const [unenriched] = await Promise.all([recalls(), stores(firstIndex)]);
  rows.push(recallRow(`${STORES_PER_SECOND} stores/s beside, enricher paused`, unenriched));
  await steerEnricher(target, 'resume');
  await allEnriched(target);
  const [enriched, answeredAt] = await Promise.all([recalls(), stores(firstIndex + STORES_PER_SECOND * seconds)]);
  rows.push(recallRow(`${STORES_PER_SECOND} stores/s beside, enriched`, enriched));
  await until(
    'all were seen to be enriched',
    () => [...answeredAt.keys()].every((id) => follower.seenAt.has(id)),
    LAST_ENRICHED_WITHIN_MS,
  );
  await follower.stop();
  return [...rows, lagRow(answeredAt, follower.seenAt)];
}

/** The feed may show it before the store's answer has come back: then there is no lag. */
function lagRow(answeredAt: ReadonlyMap<string, number>, seenAt: ReadonlyMap<string, number>): Row {
  const lags = [...answeredAt].map(([id, at]) => Math.max(0, (seenAt.get(id) ?? Number.NaN) - at));
  const { p50, p95, p99, count } = summarize(lags, 1);
  return {
    what: `answer of a store to enriched, ${count} stores`,
    figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  };
}
