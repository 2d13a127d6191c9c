/** GET /enrichment/status: the enrichment queue and its lifetime counters. */
import type { GraphReader } from '../../shared/graph/graph.js';
import type { Handler } from '../../shared/http/handler.js';
import type { ProjectorStates } from '../../shared/journal/journal.js';
import type { Clock } from '../../shared/kernel/clock.js';
import { enrichmentStateOf } from './enrichment-state.js';

type Dependencies = {
  readonly graph: GraphReader;
  readonly projectorStates: ProjectorStates;
  readonly excludedTypes: readonly string[];
  readonly maxAttempts: number;
  readonly clock: Clock;
};

export function createEnrichmentStatus({
  graph,
  projectorStates,
  excludedTypes,
  maxAttempts,
  clock,
}: Dependencies): Handler<'enrichmentStatus'> {
  return async () => {
    const [{ unenriched }, projectors] = await Promise.all([graph.counts({ excludedTypes }), projectorStates.list()]);
    const { status, pending, inflight, successes, failures, ...last } = enrichmentStateOf(
      projectors,
      unenriched,
      clock.now(),
    );
    return {
      status: 200,
      body: {
        status,
        queue_size: pending,
        pending,
        inflight,
        max_attempts: maxAttempts,
        stats: {
          processed_total: successes + failures,
          successes,
          failures,
          last_success_id: last.lastSuccessId,
          last_success_at: last.lastSuccessAt,
          last_error: last.lastError,
          last_error_at: last.lastErrorAt,
        },
      },
    };
  };
}
