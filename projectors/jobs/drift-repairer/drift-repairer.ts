/**
 * Compares graph and vector index on a schedule and has the vector indexer repair what differs, as POST /admin/sync
 * does.
 */
import { DRIFT_REPAIRER } from '../../../shared/contract/projector-names.js';
import { totalOf } from '../../../shared/integrity/drift/drift-counts.js';
import type { DriftPorts } from '../../../shared/integrity/drift/find-drift.js';
import { repairInRounds } from '../../../shared/integrity/drift/repair-in-rounds.js';
import { type Clock, formatTimestamp } from '../../../shared/kernel/clock.js';
import { withAnySignal } from '../../../shared/kernel/concurrency/abort-signals.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import type { EventPublisher } from '../../../shared/ports/stream.js';
import { type Leader, type SaveState, startLeader } from '../lead.js';

/** Memories in one request to the indexer. */
const BATCH = 100;
/** How long one repair may take; the next check continues it. */
const REPAIR_WAIT_MS = 10 * 60_000;
/** Longest time until another process takes over from one that died. */
const LONGEST_POLL_MS = 60_000;

export function startDriftRepairer({
  lock,
  states,
  embedder,
  excludedTypes,
  intervalMs,
  logger: parent,
  ...ports
}: DriftPorts &
  Pick<Parameters<typeof startLeader>[0], 'lock' | 'states' | 'logger'> & {
    readonly publisher: Pick<EventPublisher, 'notify'>;
    /** Of the vector indexer. */
    readonly embedder: Pick<Embedder, 'model'>;
    readonly excludedTypes: readonly string[];
    readonly intervalMs: number;
    readonly clock: Clock;
  }): Leader {
  const logger = parent.child({ projector: DRIFT_REPAIRER });
  let checkedAt = performance.now();

  async function check(save: SaveState, signal: AbortSignal): Promise<void> {
    const { model } = embedder;
    const { drift, repaired, failed } = await repairInRounds(ports, {
      expected: { model, excludedTypes },
      batchSize: BATCH,
      waitMs: REPAIR_WAIT_MS,
      signal,
    });
    if (embedder.model !== model) return; // the index was exchanged meanwhile: the next check compares the new one
    const result = { ...drift.counts, repaired: totalOf(repaired) };
    if (failed > 0) logger.warn({ ...result, failed }, 'drift of the vector index remains');
    else logger.info(result, 'graph and vector index compared');
    await save({ checked_at: formatTimestamp(ports.clock.now()), ...result });
  }

  return startLeader({
    name: DRIFT_REPAIRER,
    step: async (save, signal) => {
      if (performance.now() - checkedAt < intervalMs) return;
      const sync = await lock.take('sync');
      if (sync === null) return;
      try {
        await withAnySignal([signal, sync.lost], (ended) => check(save, ended));
      } finally {
        await sync.release();
      }
      checkedAt = performance.now();
    },
    failure: 'comparing graph and vector index failed',
    pollMs: Math.min(intervalMs, LONGEST_POLL_MS),
    failedMaximumMs: LONGEST_POLL_MS,
    lock,
    states,
    logger,
  });
}
