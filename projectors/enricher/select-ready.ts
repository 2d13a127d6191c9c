/**
 * Selects the memories that can be enriched now: they still exist, are not enriched yet, and the index has their
 * vector, or never will.
 */
import type { MemoryId } from '../../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import type { GraphReader, LoadedMemory } from '../../shared/ports/graph.js';
import type { DeadLetters } from '../../shared/ports/journal.js';
import type { VectorIndexReader } from '../../shared/ports/vectors.js';
import type { FindPassed, WantedMemory } from './find-passed.js';
import { awaitsEnrichment, type WantedEnrichment } from './wanted-enrichments.js';

/** One memory to enrich: the reason, and its present state. */
export type Job = {
  readonly wanted: WantedEnrichment;
  readonly loaded: LoadedMemory;
  /**
   * False when the point of the memory will not come: the vector indexer has a dead letter for it, or has passed its
   * event. It is enriched without neighbours, and the event of its enrichment makes the indexer write the point again.
   */
  readonly isIndexed: boolean;
};

export type Selection = { readonly ready: readonly Job[]; readonly waiting: readonly WantedEnrichment[] };

/** Deleted and enriched memories are in neither list. */
export type SelectReady = (wanted: readonly WantedEnrichment[]) => Promise<Selection>;

export function createSelectReady({
  graph,
  vectors,
  deadLetters,
  findPassed,
}: {
  readonly graph: Pick<GraphReader, 'memories'>;
  readonly vectors: Pick<VectorIndexReader, 'versions'>;
  readonly deadLetters: Pick<DeadLetters, 'find'>;
  readonly findPassed: FindPassed;
}): SelectReady {
  /** The memories whose present version is in the index: neighbours of an older content would be wrong. */
  async function indexedOf(points: readonly WantedMemory[]): Promise<ReadonlySet<MemoryId>> {
    if (points.length === 0) return new Set();
    const versions = await vectors.versions(points.map(({ wanted: { id } }) => id));
    return new Set(
      points
        .filter(({ wanted: { id }, loaded: { version } }) => (versions.get(id) ?? 0) >= version)
        .map(({ wanted: { id } }) => id),
    );
  }

  async function deadLettersOf(missing: readonly WantedMemory[]): Promise<ReadonlySet<string>> {
    if (missing.length === 0) return new Set();
    return deadLetters.find(
      VECTOR_INDEXER,
      missing.map(({ wanted: { id }, loaded: { version } }) => ({ subject: id, version })),
    );
  }

  return async (wanted) => {
    const loaded = await graph.memories(wanted.map(({ id }) => id));
    const current = new Map(
      loaded.filter(({ memory }) => awaitsEnrichment(memory)).map((each) => [each.memory.id, each]),
    );
    const existing = wanted.flatMap((one): readonly WantedMemory[] => {
      const memory = current.get(one.id);
      return memory === undefined ? [] : [{ wanted: one, loaded: memory }];
    });
    // a graph read that is older than the event would make the command API reject the result
    const candidates = existing.filter(({ wanted: { version }, loaded: { version: read } }) => read >= version);
    const indexed = await indexedOf(candidates);
    const missing = candidates.filter(({ wanted: { id } }) => !indexed.has(id));
    const unindexable = await deadLettersOf(missing);
    const passed = await passedOf(missing.filter(({ wanted: { id } }) => !unindexable.has(id)));

    const ready = candidates.flatMap((each): readonly Job[] => {
      const { id } = each.wanted;
      const isIndexed = indexed.has(id) || passed.get(id) === 'indexed';
      return isIndexed || unindexable.has(id) || passed.has(id) ? [{ ...each, isIndexed }] : [];
    });
    const selected = new Set(ready.map(({ wanted: { id } }) => id));
    return {
      ready,
      waiting: existing.flatMap(({ wanted: one }) => (selected.has(one.id) ? [] : [one])),
    };
  };

  /**
   * Reads the index again after the position: a point that was written in between is indexed, every other one is lost.
   */
  async function passedOf(missing: readonly WantedMemory[]): Promise<ReadonlyMap<MemoryId, 'indexed' | 'lost'>> {
    if (missing.length === 0) return new Map();
    const passed = await findPassed(missing);
    const indexed = await indexedOf(missing.filter(({ wanted: { id } }) => passed.has(id)));
    return new Map([...passed].map((id) => [id, indexed.has(id) ? 'indexed' : 'lost']));
  }
}
