/** What background enrichment is doing, pure: its projector's own record, and how many memories still wait for it. */
import type { ProjectorState } from '../../shared/journal/journal.js';
import { ENRICHER } from '../../shared/contract/projector-names.js';
import { fleetOf, isAlive, lastErrorOf } from '../../shared/journal/projector-fleet.js';

export type EnrichmentState = {
  readonly status: 'running' | 'stopped';
  /** Memories that have not been enriched yet, working on them or not. */
  readonly pending: number;
  readonly inflight: number;
  readonly successes: number;
  readonly failures: number;
  readonly lastSuccessId: string | null;
  readonly lastSuccessAt: string | null;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
};

/** Counters are those of all instances together, and the last success and error the newest of any. */
export function enrichmentStateOf(
  projectors: readonly ProjectorState[],
  unenriched: number,
  now: Date,
): EnrichmentState {
  const enrichers = projectors.filter(({ name }) => name === ENRICHER);
  const lastSucceeded = newestSuccess(enrichers);
  return {
    status: fleetOf(ENRICHER, projectors, now).isRunning ? 'running' : 'stopped',
    pending: unenriched,
    // what an instance had in hand when it ended is in nobody's
    inflight: sum(
      enrichers.filter((state) => isAlive(state, now)),
      'inflight',
    ),
    successes: sum(enrichers, 'successes'),
    failures: sum(enrichers, 'failures'),
    lastSuccessId: lastSucceeded && textOf(lastSucceeded, 'last_success_id'),
    lastSuccessAt: lastSucceeded && textOf(lastSucceeded, 'last_success_at'),
    ...lastErrorOf(enrichers),
  };
}

function newestSuccess(enrichers: readonly ProjectorState[]): ProjectorState | null {
  const timeOf = (state: ProjectorState): string => textOf(state, 'last_success_at') ?? '';
  const [newest = null] = enrichers
    .filter((state) => timeOf(state) !== '')
    .sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
  return newest;
}

function sum(states: readonly ProjectorState[], name: string): number {
  return states.reduce((total, { detail }) => total + Number(detail?.[name] ?? 0), 0);
}

function textOf({ detail }: ProjectorState, name: string): string | null {
  const value = detail?.[name];
  return typeof value === 'string' ? value : null;
}
