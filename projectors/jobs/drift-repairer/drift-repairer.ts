/**
 * Compares graph and vector index on a schedule and has the vector indexer repair what differs, as POST /admin/sync does. One process of a
 * deployment leads; the others wait to take over.
 */
import { DRIFT_REPAIRER } from '../../../shared/contract/projector-names.js';
import { totalOf } from '../../../shared/integrity/drift/drift-counts.js';
import type { DriftPorts } from '../../../shared/integrity/drift/find-drift.js';
import { repairInRounds } from '../../../shared/integrity/drift/repair-in-rounds.js';
import { type Clock, formatTimestamp } from '../../../shared/kernel/clock.js';
import { withAnySignal } from '../../../shared/kernel/concurrency/abort-signals.js';
import { createLoop } from '../../../shared/kernel/concurrency/loop.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import type { ProjectorStates } from '../../../shared/ports/journal.js';
import type { HeldTask, MaintenanceLock } from '../../../shared/ports/maintenance-lock.js';
import type { EventPublisher } from '../../../shared/ports/stream.js';

/** Memories in one request to the indexer. */
const BATCH = 100;
/** How long one repair may take; the next check continues it. */
const REPAIR_WAIT_MS = 10 * 60_000;
/** Longest time until another process takes over from one that died. */
const LONGEST_POLL_MS = 60_000;

export type DriftRepairer = { readonly close: () => Promise<void> };

export function startDriftRepairer({
  lock,
  states,
  embedder,
  excludedTypes,
  intervalMs,
  logger: parent,
  ...ports
}: DriftPorts & {
  readonly lock: MaintenanceLock;
  readonly states: Pick<ProjectorStates, 'save'>;
  readonly publisher: Pick<EventPublisher, 'notify'>;
  /** Of the vector indexer. */
  readonly embedder: Pick<Embedder, 'model'>;
  readonly excludedTypes: readonly string[];
  readonly intervalMs: number;
  readonly logger: Logger;
  readonly clock: Clock;
}): DriftRepairer {
  const logger = parent.child({ projector: DRIFT_REPAIRER });
  const stop = new AbortController();
  const pollMs = Math.min(intervalMs, LONGEST_POLL_MS);
  let leadership: HeldTask | null = null;
  let checkedAt = performance.now();

  async function leads(): Promise<boolean> {
    if (leadership?.lost.aborted !== false) leadership = await lock.take('drift-repairer');
    return leadership !== null;
  }

  async function check(signal: AbortSignal): Promise<void> {
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
    await save(result);
  }

  /** One row for the deployment, whichever process leads. */
  async function save(result: Readonly<Record<string, number>>): Promise<void> {
    await states.save({
      name: DRIFT_REPAIRER,
      instance: 'leader',
      position: 0,
      handled: 0,
      failed: 0,
      lastError: null,
      lastErrorAt: null,
      paused: false,
      stopped: false,
      detail: { checked_at: formatTimestamp(ports.clock.now()), ...result },
    });
  }

  const loop = createLoop({
    step: async (signal) => {
      if (!(await leads()) || performance.now() - checkedAt < intervalMs) return 'idle';
      const sync = await lock.take('sync');
      if (sync === null) return 'idle';
      try {
        await withAnySignal([signal, sync.lost], check);
      } finally {
        await sync.release();
      }
      checkedAt = performance.now();
      return 'idle';
    },
    onFailure: (error, waitMs) => {
      if (!stop.signal.aborted) logger.warn({ err: error, waitMs }, 'comparing graph and vector index failed');
    },
    pace: {
      idleMinimumMs: pollMs,
      idleMaximumMs: pollMs,
      failedMinimumMs: 1_000,
      failedMaximumMs: LONGEST_POLL_MS,
    },
  });
  const running = loop.run(stop.signal);

  return {
    close: async () => {
      stop.abort();
      await running;
      await leadership?.release();
    },
  };
}
