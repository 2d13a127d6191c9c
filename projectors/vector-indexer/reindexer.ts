/**
 * Carries out requests to write points again: it reads the present states from the graph and has the indexer write
 * their points, also over the same version. Requests come as activity, so one may be lost: the sender reads the index
 * to see its effect.
 */
import type { Activity } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { REINDEXER, VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import { createLoop } from '../../shared/kernel/concurrency/loop.js';
import { isRetryable } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { JournalReader, ProjectorStates } from '../../shared/ports/journal.js';
import type { EventSource } from '../../shared/ports/stream.js';
import type { VectorIndexReader } from '../../shared/ports/vectors.js';
import { findRepair } from './find-repair.js';
import type { VectorIndexer } from './vector-indexer.js';

/** Memories that are read and written together. */
const GROUP_MEMORIES = 128;
/** Memories that can wait; further requests are dropped. */
const WAITING_LIMIT = 10_000;
/** A waiting request wakes the loop, so this is only the poll of an idle one. */
const PACE = { idleMinimumMs: 1_000, idleMaximumMs: 30_000, failedMinimumMs: 500, failedMaximumMs: 30_000 };

export type Reindexer = {
  /** Ends the running group; requests that wait are lost. */
  readonly close: () => Promise<void>;
};

export async function createReindexer({
  source,
  repair,
  states,
  logger,
  waitingLimit = WAITING_LIMIT,
  ...ports
}: {
  readonly source: Pick<EventSource, 'listen'>;
  readonly repair: VectorIndexer['repair'];
  readonly graph: Pick<GraphReader, 'memories' | 'tombstones'>;
  readonly journal: Pick<JournalReader, 'read'>;
  readonly vectors: Pick<VectorIndexReader, 'versions'>;
  readonly states: Pick<ProjectorStates, 'paused'>;
  readonly logger: Logger;
  readonly waitingLimit?: number;
}): Promise<Reindexer> {
  const waiting = new Set<MemoryId>();
  const stop = new AbortController();

  function note(activities: readonly Activity[]): void {
    for (const activity of activities) {
      if (activity.kind !== 'reindex') continue;
      for (const id of activity.ids as readonly MemoryId[]) {
        if (waiting.size < waitingLimit) waiting.add(id);
      }
    }
    if (waiting.size > 0) loop.wake();
  }

  async function reindex(ids: readonly MemoryId[], signal: AbortSignal): Promise<void> {
    try {
      await repair({ ...(await findRepair(ids, ports)), embedAgain: false }, signal);
    } catch (error) {
      if (signal.aborted || isRetryable(error)) throw error;
      const [only] = ids;
      if (ids.length > 1) for (const id of ids) await reindex([id], signal);
      else logger.warn({ err: error, memory: only }, 'the point of a memory could not be written again');
    }
  }

  const loop = createLoop({
    step: async (signal) => {
      const ids = [...waiting].slice(0, GROUP_MEMORIES);
      if (ids.length === 0 || (await states.paused()).has(VECTOR_INDEXER)) return 'idle';
      for (const id of ids) waiting.delete(id);
      try {
        await reindex(ids, signal);
      } catch (error) {
        for (const id of ids) waiting.add(id);
        throw error;
      }
      return waiting.size > 0 ? 'full' : 'idle';
    },
    onFailure: (error, waitMs) =>
      logger.warn({ err: error, waitMs, waiting: waiting.size }, 'writing points again failed'),
    pace: PACE,
  });
  const subscription = await source.listen(REINDEXER, async (activities) => note(activities));
  const running = loop.run(stop.signal);

  return {
    close: async () => {
      await subscription.close();
      stop.abort();
      await running;
    },
  };
}
