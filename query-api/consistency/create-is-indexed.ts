/**
 * Whether the vector index has everything up to a position. Indexers save how far they are some 200 to 700 ms late, so the few events
 * behind what they saved are looked for in the index itself: a point says which version of its memory it shows.
 */
import { MEMORY_EVENTS, type RecordedEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { JournalReader } from '../../shared/journal/journal.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { VectorIndexReader } from '../../shared/vectors/vectors.js';

/** `indexed`: the position that the indexers have saved. */
export type IsIndexed = (indexed: number, position: number) => Promise<boolean>;

/** Of more events than these the saved position alone tells. */
const GAP_LIMIT = 200;

type Dependencies = {
  readonly journal: Pick<JournalReader, 'read'>;
  readonly vectors: Pick<VectorIndexReader, 'versions'>;
};

export function createIsIndexed({ journal, vectors }: Dependencies): IsIndexed {
  return async (indexed, position) => {
    if (indexed >= position) return true;
    const events = await journal.read({
      after: indexed,
      through: position,
      types: MEMORY_EVENTS,
      limit: GAP_LIMIT + 1,
    });
    if (events.length > GAP_LIMIT) return false;
    const newest = new Map(events.map((event) => [event.subject as MemoryId, event]));
    try {
      const versions = newest.size === 0 ? new Map<MemoryId, number>() : await vectors.versions([...newest.keys()]);
      return [...newest].every(([id, event]) => shows(versions.get(id), event));
    } catch (error) {
      if (error instanceof DependencyError) return false; // an index that does not answer shows nothing
      throw error;
    }
  };
}

/** `version`: of the point, where there is one. A point that went since with a later deletion counts as missing: the position will tell. */
function shows(version: number | undefined, event: Pick<RecordedEvent, 'type' | 'version'>): boolean {
  return event.type === 'memory.deleted' ? version === undefined : version !== undefined && version >= event.version;
}
