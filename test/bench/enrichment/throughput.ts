/** Measures how fast a backlog is enriched: stores N memories while the enricher is paused, then resumes it until none is pending. */
import type { HttpCaller } from '../../support/clients/http-caller.js';
import type { StoreWithVector } from '../corpus/store-with-vector.js';
import { controlEnricher, pendingEnrichments, waitUntilEnriched } from '../measuring/enricher.js';
import { type Row, timeCalls, timingRow } from '../measuring/timing.js';

const CLIENTS = 16;

/** `cpuMs`: the processor time of the service so far, null if unknown. The measured time ends when the index shows the enriched memories as well. */
export async function measureThroughput({
  target,
  store,
  count,
  cpuMs,
}: {
  readonly target: HttpCaller;
  readonly store: StoreWithVector;
  readonly count: number;
  readonly cpuMs: () => Promise<number | null>;
}): Promise<readonly Row[]> {
  await waitUntilEnriched(target);
  await controlEnricher(target, 'pause');
  const stores = timingRow(
    'single stores with a supplied vector, enricher paused',
    await timeCalls(count, CLIENTS, store),
  );
  const backlog = await pendingEnrichments(target);
  const cpuBefore = await cpuMs();
  const startedAt = performance.now();
  await controlEnricher(target, 'resume');
  await waitUntilEnriched(target);
  const elapsedMs = performance.now() - startedAt;
  const cpuAfter = await cpuMs();
  const cpu =
    cpuBefore === null || cpuAfter === null
      ? ''
      : `, ${((cpuAfter - cpuBefore) / backlog).toFixed(2)} ms of processor each`;
  const figure = `${((backlog / elapsedMs) * 1_000).toFixed(0)} memories/s${cpu}`;
  process.stderr.write(`enrichment of ${backlog}: ${figure}\n`);
  return [stores, { what: `enrichment of a backlog of ${backlog}`, figure }];
}
