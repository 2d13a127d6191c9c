/** Finds what the index must hold for each of these memories, from the graph. */
import type { MemoryId } from '../../shared/contract/memory.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import type { VectorIndexReader } from '../../shared/ports/vectors.js';
import type { Repair } from './vector-indexer.js';

export async function findRepair(
  ids: readonly MemoryId[],
  {
    graph,
    journal,
    vectors,
  }: {
    readonly graph: Pick<GraphReader, 'memories' | 'tombstones'>;
    readonly journal: Pick<JournalReader, 'read'>;
    readonly vectors: Pick<VectorIndexReader, 'versions'>;
  },
): Promise<Omit<Repair, 'embedAgain'>> {
  const memories = await graph.memories(ids);
  const present = new Set(memories.map(({ memory }) => memory.id));
  const absent = ids.filter((id) => !present.has(id));
  const tombstones = absent.length === 0 ? new Map() : await graph.tombstones(absent);
  return {
    states: memories.map(({ memory, vectorRef, version }) => ({ version, state: { memory, vectorRef } })),
    deletions: [
      ...absent.flatMap((id) => {
        const tombstone = tombstones.get(id);
        return tombstone === undefined ? [] : [{ id, version: tombstone.version }];
      }),
      ...(await foreignPoints(absent.filter((id) => !tombstones.has(id)))),
    ],
  };

  /**
   * Points of ids that neither graph nor journal has ever had. A memory with events but without a node is one that the
   * graph lost, or does not have yet: its point stays.
   */
  async function foreignPoints(unknown: readonly MemoryId[]): Promise<Repair['deletions']> {
    const versions = unknown.length === 0 ? new Map<MemoryId, number>() : await vectors.versions(unknown);
    const foreign: { readonly id: MemoryId; readonly version: number }[] = [];
    for (const [id, version] of versions) {
      if ((await journal.read({ after: 0, subject: id, limit: 1 })).length === 0) foreign.push({ id, version });
    }
    return foreign;
  }
}
