/** Which of the wanted memories can be enriched now: those that are still there and unenriched, and whose vector the index has. */
import type { MemoryId } from '../../shared/contract/memory.js';
import type { GraphReader, LoadedMemory } from '../../shared/graph/graph.js';
import type { DeadLetters } from '../../shared/journal/journal.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import type { VectorIndexReader } from '../../shared/vectors/vectors.js';
import { awaitsEnrichment, type Wanted } from './wanted-enrichments.js';

/** One memory to enrich: why, and as it is now. */
export type Job = {
  readonly wanted: Wanted;
  readonly loaded: LoadedMemory;
  /** False where the indexer has given it up: it is enriched without neighbours. */
  readonly isIndexed: boolean;
};

export type Taken = { readonly ready: readonly Job[]; readonly waiting: readonly Wanted[] };

/** What is gone or enriched is in neither. */
export type TakeReady = (wanted: readonly Wanted[]) => Promise<Taken>;

export function createTakeReady({
  graph,
  vectors,
  deadLetters,
}: {
  readonly graph: Pick<GraphReader, 'memories'>;
  readonly vectors: Pick<VectorIndexReader, 'versions'>;
  readonly deadLetters: Pick<DeadLetters, 'find'>;
}): TakeReady {
  /** The index and the letters are asked for what the memory is now: a neighbour of former words would be no neighbour. */
  async function indexingOf(
    memories: readonly LoadedMemory[],
  ): Promise<{ readonly indexed: ReadonlySet<MemoryId>; readonly givenUp: ReadonlySet<string> }> {
    if (memories.length === 0) return { indexed: new Set(), givenUp: new Set() };
    const points = await vectors.versions(memories.map(({ memory }) => memory.id));
    const indexed = new Set(
      memories.filter(({ memory, version }) => (points.get(memory.id) ?? 0) >= version).map(({ memory }) => memory.id),
    );
    const missing = memories
      .filter(({ memory }) => !indexed.has(memory.id))
      .map(({ memory, version }) => ({ subject: memory.id, version }));
    return { indexed, givenUp: missing.length === 0 ? new Set() : await deadLetters.find(VECTOR_INDEXER, missing) };
  }

  return async (wanted) => {
    const loaded = await graph.memories(wanted.map(({ id }) => id));
    const current = new Map(
      loaded.filter(({ memory }) => awaitsEnrichment(memory)).map((each) => [each.memory.id, each]),
    );
    const { indexed, givenUp } = await indexingOf([...current.values()]);
    const ready: Job[] = [];
    const waiting: Wanted[] = [];
    for (const one of wanted) {
      const memory = current.get(one.id);
      if (memory === undefined) continue;
      const isIndexed = indexed.has(one.id);
      // a reader of the graph that lags behind its events would have the result refused
      if (memory.version >= one.version && (isIndexed || givenUp.has(one.id)))
        ready.push({ wanted: one, loaded: memory, isIndexed });
      else waiting.push(one);
    }
    return { ready, waiting };
  };
}
