/**
 * `npm run bench:enrichment`: measures memories enriched per second, what callers notice of a backlog, and the lag of
 * enrichment behind a steady stream of stores. The memories come with vectors, so the encoder does not affect the
 * result. `--seconds 0` skips the steady stream.
 */
import type { Random } from '../../support/fixtures/random.js';
import { createStoreWithVector, knownRecalls, type StoreWithVector } from '../corpus/fill.js';
import { pauseEnricher, pendingEnrichments, resumeEnricher, untilEnriched } from '../measuring/background.js';
import { runBench, type Target } from '../measuring/run-bench.js';
import { inSeconds, type Row, timeCalls, timingRow } from '../measuring/timing.js';
import { measureLag } from './measure-lag.js';

const CLIENTS = 16;
const CALLS = 200;

await runBench({
  defaults: { memories: '5000', seconds: '30' },
  measure: async (target, { memories, seconds }, random) => {
    const store = createStoreWithVector(target, random);
    const [count, duration] = [Number(memories), Number(seconds)];
    return [
      ...(await measureThroughput(target, store, count)),
      ...(await measureBacklog(target, store, { count, random })),
      ...(duration === 0 ? [] : [await measureLag(target, store, { seconds: duration, firstIndex: 3 * count })]),
    ];
  },
});

/** Stores memories while the enricher is paused, then resumes it until the index shows all of them as enriched. */
async function measureThroughput(target: Target, store: StoreWithVector, count: number): Promise<readonly Row[]> {
  await untilEnriched(target);
  await pauseEnricher(target);
  const stores = timingRow('single stores, enricher paused', await timeCalls(count, CLIENTS, store));
  const backlog = await pendingEnrichments(target);
  const { seconds } = await inSeconds(async () => {
    await resumeEnricher(target);
    await untilEnriched(target);
  });
  return [stores, { what: `enrichment of ${backlog}`, figure: `${(backlog / seconds).toFixed(0)} memories/s` }];
}

/** One client recalls, then stores, with a backlog and a paused enricher, and again with the enricher running. */
async function measureBacklog(
  target: Target,
  store: StoreWithVector,
  { count, random }: { readonly count: number; readonly random: Random },
): Promise<readonly Row[]> {
  const recall = await knownRecalls(target, random);
  let next = count;
  const storeNext = () => store((next += 1));
  const callers = async (when: string): Promise<readonly Row[]> => [
    timingRow(`recall, 1 client, ${when}`, await timeCalls(CALLS, 1, recall)),
    timingRow(`store, 1 client, ${when}`, await timeCalls(CALLS, 1, storeNext)),
  ];
  await pauseEnricher(target);
  await timeCalls(count, CLIENTS, storeNext);
  const paused = await callers('backlog, enricher paused');
  await resumeEnricher(target);
  const before = await pendingEnrichments(target);
  const running = await callers('backlog, enricher running');
  const done = before - (await pendingEnrichments(target));
  await untilEnriched(target);
  return [...paused, ...running, { what: `enriched meanwhile, of ${before}`, figure: `${done} memories` }];
}
