/**
 * Derives the state of background enrichment from the saved states of its projector and the number of memories that
 * wait for it. Pure.
 */
import { ENRICHER } from '../../shared/contract/projector-names.js';
import { fleetOf, isAlive, lastErrorOf } from '../../shared/journal/projector-fleet.js';
import type { ProjectorState } from '../../shared/ports/journal.js';

export type EnrichmentState = {
  readonly status: 'running' | 'stopped';
  /** Memories that are not enriched yet, including those in progress. */
  readonly pending: number;
  readonly inflight: number;
  readonly successes: number;
  readonly failures: number;
  readonly lastSuccessId: string | null;
  readonly lastSuccessAt: string | null;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
};

/** Counters are sums over all instances; the last success and the last error are the newest of all instances. */
export function enrichmentStateOf(projectors: readonly ProjectorState[], unenriched: number): EnrichmentState {
  const enrichers = projectors.filter(({ name }) => name === ENRICHER);
  const lastSucceeded = newestSuccess(enrichers);
  return {
    status: fleetOf(ENRICHER, projectors).isRunning ? 'running' : 'stopped',
    pending: unenriched,
    // the memories in progress of an ended instance do not count
    inflight: sum(enrichers.filter(isAlive), 'inflight'),
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
