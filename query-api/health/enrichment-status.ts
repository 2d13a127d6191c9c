/** GET /enrichment/status: the enrichment queue and its lifetime counters. */
import type { Handler } from '../../shared/http/handler.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { ProjectorStates } from '../../shared/ports/journal.js';
import { enrichmentStateOf } from './enrichment-state.js';

type Dependencies = {
  readonly graph: GraphReader;
  readonly projectorStates: ProjectorStates;
  readonly excludedTypes: readonly string[];
  readonly maxAttempts: number;
};

export function createEnrichmentStatus({
  graph,
  projectorStates,
  excludedTypes,
  maxAttempts,
}: Dependencies): Handler<'enrichmentStatus'> {
  return async () => {
    const [{ unenriched }, projectors] = await Promise.all([graph.counts({ excludedTypes }), projectorStates.list()]);
    const { status, pending, inflight, successes, failures, ...last } = enrichmentStateOf(projectors, unenriched);
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
