/** How fast a backlog is enriched: N memories are stored while the enricher stands still, then it goes on until none is left. */
import type { HttpCaller } from '../support/http-caller.js';
import { timeCalls, timingRow, type Row } from './measure.js';
import type { StoreGiven } from './given-memory.js';
import { allEnriched, pendingEnrichments, steerEnricher } from './steer-enricher.js';

const CLIENTS = 16;

/** `cpuMs`: what the service has used so far, where it can be known. The time ends when the index shows the enriched memories as well. */
export async function measureThroughput({
  target,
  store,
  count,
  cpuMs,
}: {
  readonly target: HttpCaller;
  readonly store: StoreGiven;
  readonly count: number;
  readonly cpuMs: () => Promise<number | null>;
}): Promise<readonly Row[]> {
  await allEnriched(target);
  await steerEnricher(target, 'pause');
  const stores = timingRow(
    'single stores with a supplied vector, enricher paused',
    await timeCalls(count, CLIENTS, store),
  );
  const backlog = await pendingEnrichments(target);
  const cpuBefore = await cpuMs();
  const startedAt = performance.now();
  await steerEnricher(target, 'resume');
  await allEnriched(target);
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
