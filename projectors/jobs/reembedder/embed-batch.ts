/** Embeds one batch of memories again and writes their points. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import { DependencyError, isRetryable, reportOf } from '../../../shared/kernel/errors.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { GraphReader, LoadedMemory } from '../../../shared/ports/graph.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import type { VectorIndexReader } from '../../../shared/ports/vectors.js';
import { findRepair } from '../../vector-indexer/find-repair.js';
import type { VectorIndexer } from '../../vector-indexer/vector-indexer.js';

export type Embedded = {
  /** Memories that keep their old vector. */
  readonly failed: readonly MemoryId[];
  /** Why the provider did not answer; null if it did. */
  readonly outage: string | null;
};

/** Throws when the graph, the index or the database does not answer. */
export type EmbedBatch = (memories: readonly LoadedMemory[], signal: AbortSignal) => Promise<Embedded>;

export function createEmbedBatch({
  repair,
  logger,
  ...ports
}: {
  readonly repair: VectorIndexer['repair'];
  readonly graph: Pick<GraphReader, 'memories' | 'tombstones'>;
  readonly journal: Pick<JournalReader, 'read'>;
  readonly vectors: Pick<VectorIndexReader, 'versions'>;
  readonly logger: Logger;
}): EmbedBatch {
  async function embed(memories: readonly LoadedMemory[], signal: AbortSignal): Promise<Embedded> {
    try {
      const states = memories.map(({ version, memory, vectorRef }) => ({ version, state: { memory, vectorRef } }));
      await repair({ states, deletions: [], embedAgain: true }, signal);
      return { failed: [], outage: null };
    } catch (error) {
      const isOutage = error instanceof DependencyError && error.dependency === 'embedding';
      if (signal.aborted || (isRetryable(error) && !isOutage)) throw error;
      if (!isOutage && memories.length > 1) return embedAlone(memories, signal);
      const failed = memories.map(({ memory }) => memory.id);
      logger.warn({ err: error, memories: failed.length, first: failed[0] }, 'memories could not be embedded again');
      return { failed, outage: isOutage ? reportOf(error) : null };
    }
  }

  /** One memory that the provider rejects must not fail its batch. */
  async function embedAlone(memories: readonly LoadedMemory[], signal: AbortSignal): Promise<Embedded> {
    const outcomes: Embedded[] = [];
    for (const memory of memories) outcomes.push(await embed([memory], signal));
    return {
      failed: outcomes.flatMap(({ failed }) => failed),
      outage: outcomes.find(({ outage }) => outage !== null)?.outage ?? null,
    };
  }

  /** Embedding takes seconds. A memory that was deleted meanwhile must leave no vector in the cache and no point. */
  async function removeDeleted(memories: readonly LoadedMemory[], signal: AbortSignal): Promise<void> {
    const ids = memories.map(({ memory }) => memory.id);
    const present = new Set((await ports.graph.memories(ids)).map(({ memory }) => memory.id));
    const absent = ids.filter((id) => !present.has(id));
    if (absent.length > 0) await repair({ ...(await findRepair(absent, ports)), embedAgain: false }, signal);
  }

  return async (memories, signal) => {
    if (memories.length === 0) return { failed: [], outage: null };
    const embedded = await embed(memories, signal);
    await removeDeleted(memories, signal);
    return embedded;
  };
}
