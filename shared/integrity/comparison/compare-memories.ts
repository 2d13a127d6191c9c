/** Compares given memories in the journal, the graph and the vector index. */
import { MEMORY_EVENTS, type RecordedEvent } from '../../contract/events.js';
import type { Memory, MemoryId } from '../../contract/memory.js';
import type { GraphReader, LoadedMemory } from '../../ports/graph.js';
import type { JournalReader } from '../../ports/journal.js';
import type { PointReader } from '../../ports/vectors.js';
import { comparePoint } from './compare-point.js';
import { type Difference, type DifferenceKind, isSameContent } from './differences.js';

export type ComparedStores = {
  readonly journal: Pick<JournalReader, 'lastOf'>;
  readonly graph: Pick<GraphReader, 'memories' | 'tombstones' | 'associations'>;
  readonly points: PointReader;
  /** The model of the embedder. */
  readonly model: string;
  /** Types that recall never shows. Their points are not compared, because the drift repairer does not repair them. */
  readonly excludedTypes: readonly string[];
};

/** At most 1,000 ids in one call. */
export async function compareMemories(
  { journal, graph, points, model, excludedTypes }: ComparedStores,
  ids: readonly MemoryId[],
): Promise<readonly Difference[]> {
  const [events, memories, tombstones, found] = await Promise.all([
    journal.lastOf({ subjects: ids, types: MEMORY_EVENTS }),
    graph.memories(ids),
    graph.tombstones(ids),
    points.points(ids),
  ]);
  const last = newestOf(events);
  const loaded = new Map(memories.map((one) => [one.memory.id, one]));
  const stored = new Map(found.map((point) => [point.id, point]));
  return ids.flatMap((id) => {
    const [inGraph, point] = [loaded.get(id), stored.get(id)];
    const isExcluded = excludedTypes.includes(inGraph?.memory.type ?? point?.payload.type ?? '');
    return [
      graphDifference(last.get(id), inGraph, tombstones.get(id)?.version),
      isExcluded ? null : comparePoint(inGraph, point, model),
    ].flatMap((kind) => (kind === null ? [] : [{ kind, subject: id }]));
  });
}

export function newestOf(events: readonly RecordedEvent[]): ReadonlyMap<string, RecordedEvent> {
  const newest = new Map<string, RecordedEvent>();
  for (const event of events)
    if (event.version > (newest.get(event.subject)?.version ?? 0)) newest.set(event.subject, event);
  return newest;
}

function graphDifference(
  last: RecordedEvent | undefined,
  inGraph: LoadedMemory | undefined,
  deletedAt: number | undefined,
): DifferenceKind | null {
  if (last === undefined) return inGraph === undefined && deletedAt === undefined ? null : 'graph has extra';
  if (last.type === 'memory.deleted' && inGraph !== undefined && inGraph.version < last.version)
    return 'graph has extra';
  const version = inGraph?.version ?? deletedAt;
  if (version === undefined) return 'graph lacks';
  if (version !== last.version) return version < last.version ? 'graph is older' : 'graph is newer';
  return isSameState(last, inGraph) ? null : 'graph differs';
}

/** The state of an erased event is gone, and its deletion follows. */
function isSameState(last: RecordedEvent, inGraph: LoadedMemory | undefined): boolean {
  if (last.type === 'memory.deleted') return inGraph === undefined;
  if (last.data === null) return true;
  if (inGraph === undefined || !('memory' in last.data)) return false;
  const { memory, vectorRef } = last.data;
  return vectorRef === inGraph.vectorRef && isSameContent(withoutAccess(memory), withoutAccess(inGraph.memory));
}

/** Recording an access sets `last_accessed` without an event. */
function withoutAccess({ last_accessed: _accessed, ...memory }: Memory): Omit<Memory, 'last_accessed'> {
  return memory;
}
