/** Selects the memories that can be enriched now: they still exist, are not enriched yet, and the index has their vector. */
import type { MemoryId } from '../../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import type { GraphReader, LoadedMemory } from '../../shared/graph/graph.js';
import type { DeadLetters } from '../../shared/journal/journal.js';
import type { VectorIndexReader } from '../../shared/vectors/vectors.js';
import { awaitsEnrichment, type WantedEnrichment } from './wanted-enrichments.js';

/** One memory to enrich: the reason, and its present state. */
export type Job = {
  readonly wanted: WantedEnrichment;
  readonly loaded: LoadedMemory;
  /** False when the vector indexer has a dead letter for it: it is enriched without neighbours. */
  readonly isIndexed: boolean;
};

export type Selection = { readonly ready: readonly Job[]; readonly waiting: readonly WantedEnrichment[] };

/** Deleted and enriched memories are in neither list. */
export type SelectReady = (wanted: readonly WantedEnrichment[]) => Promise<Selection>;

export function createSelectReady({
  graph,
  vectors,
  deadLetters,
}: {
  readonly graph: Pick<GraphReader, 'memories'>;
  readonly vectors: Pick<VectorIndexReader, 'versions'>;
  readonly deadLetters: Pick<DeadLetters, 'find'>;
}): SelectReady {
  /** Looks up the present version of each memory: neighbours of an older content would be wrong. */
  async function indexingOf(
    memories: readonly LoadedMemory[],
  ): Promise<{ readonly indexed: ReadonlySet<MemoryId>; readonly unindexable: ReadonlySet<string> }> {
    if (memories.length === 0) return { indexed: new Set(), unindexable: new Set() };
    const points = await vectors.versions(memories.map(({ memory }) => memory.id));
    const indexed = new Set(
      memories.filter(({ memory, version }) => (points.get(memory.id) ?? 0) >= version).map(({ memory }) => memory.id),
    );
    const missing = memories
      .filter(({ memory }) => !indexed.has(memory.id))
      .map(({ memory, version }) => ({ subject: memory.id, version }));
    return { indexed, unindexable: missing.length === 0 ? new Set() : await deadLetters.find(VECTOR_INDEXER, missing) };
  }

  return async (wanted) => {
    const loaded = await graph.memories(wanted.map(({ id }) => id));
    const current = new Map(
      loaded.filter(({ memory }) => awaitsEnrichment(memory)).map((each) => [each.memory.id, each]),
    );
    const { indexed, unindexable } = await indexingOf([...current.values()]);
    const ready: Job[] = [];
    const waiting: WantedEnrichment[] = [];
    for (const one of wanted) {
      const memory = current.get(one.id);
      if (memory === undefined) continue;
      const isIndexed = indexed.has(one.id);
      // a graph read that is older than the event would make the command API reject the result
      if (memory.version >= one.version && (isIndexed || unindexable.has(one.id)))
        ready.push({ wanted: one, loaded: memory, isIndexed });
      else waiting.push(one);
    }
    return { ready, waiting };
  };
}
