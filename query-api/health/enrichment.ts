/** What background enrichment is doing, pure: its projector's own record, and how many memories still wait for it. */
import type { ProjectorState } from '../../shared/journal/journal.js';
import { ENRICHER } from '../../shared/contract/projector-names.js';
import { fleetOf } from '../../shared/journal/projector-fleet.js';

export type EnrichmentState = {
  readonly status: 'running' | 'stopped';
  /** Memories that have not been enriched yet, working on them or not. */
  readonly pending: number;
  readonly inflight: number;
  readonly successes: number;
  readonly failures: number;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
};

export function enrichmentStateOf(projectors: readonly ProjectorState[], unenriched: number, now: Date): EnrichmentState {
  const enrichers = projectors.filter(({ name }) => name === ENRICHER);
  const [lastFailed] = enrichers
    .filter(({ lastErrorAt }) => lastErrorAt !== null)
    .sort((one, other) => ((one.lastErrorAt ?? '') < (other.lastErrorAt ?? '') ? 1 : -1));
  return {
    status: fleetOf(ENRICHER, projectors, now).isRunning ? 'running' : 'stopped',
    pending: unenriched,
    inflight: 0,
    successes: enrichers.reduce((sum, { handled }) => sum + handled, 0),
    failures: enrichers.reduce((sum, { failed }) => sum + failed, 0),
    lastError: lastFailed?.lastError ?? null,
    lastErrorAt: lastFailed?.lastErrorAt ?? null,
  };
}
