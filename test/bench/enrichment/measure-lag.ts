/**
 * Measures the lag of enrichment behind the answers of a steady stream of stores. The feed shows when a memory is
 * enriched.
 */
import { until } from '../../support/checks/until.js';
import type { StoreWithVector } from '../corpus/fill.js';
import type { Target } from '../measuring/run-bench.js';
import { atSteadyRate, delayRow, type Row } from '../measuring/timing.js';

const STORES_PER_SECOND = 50;
const LAST_ENRICHED_WITHIN_MS = 600_000;
/** The longest wait for an event of the feed. */
const WAIT_SECONDS = 2;

export async function measureLag(
  target: Target,
  store: StoreWithVector,
  { seconds, firstIndex }: { readonly seconds: number; readonly firstIndex: number },
): Promise<Row> {
  const answeredAt = new Map<string, number>();
  const follower = await followEnriched(target);
  await atSteadyRate({ perSecond: STORES_PER_SECOND, seconds }, async (index) =>
    answeredAt.set(await store(firstIndex + index), performance.now()),
  );
  await until(
    'the feed shows every memory as enriched',
    () => [...answeredAt.keys()].every((id) => follower.seenAt.has(id)),
    LAST_ENRICHED_WITHIN_MS,
  );
  await follower.stop();
  // The feed may show the enrichment before the store's answer arrives; then the lag is 0.
  const lags = [...answeredAt].map(([id, at]) => Math.max(0, (follower.seenAt.get(id) ?? Number.NaN) - at));
  return delayRow(`answer of a store to enriched, ${STORES_PER_SECOND} stores/s`, lags);
}

/** `seenAt`: the time of the first `memory.enriched` event of each memory, as `performance.now()`. */
async function followEnriched({ call }: Target) {
  const seenAt = new Map<string, number>();
  let isStopped = false;
  let after: string = (await call('GET', '/events?limit=1')).body.head;
  async function follow(): Promise<void> {
    while (!isStopped) {
      const query = `after=${after}&type=memory.enriched&limit=100&wait=${WAIT_SECONDS}`;
      const { body } = await call('GET', `/events?${query}`);
      for (const { subject } of body.events as { subject: string }[])
        if (!seenAt.has(subject)) seenAt.set(subject, performance.now());
      after = body.next;
    }
  }
  const following = follow();
  return {
    seenAt,
    stop: () => {
      isStopped = true;
      return following;
    },
  };
}
