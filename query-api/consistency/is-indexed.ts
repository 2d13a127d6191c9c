/**
 * Checks that the vector index contains everything up to a position. Indexers save their position about 200 to 700 ms late, so the few events
 * after the saved position are looked up in the index itself: each point holds the version of its memory.
 */
import { MEMORY_EVENTS, type RecordedEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { JournalReader } from '../../shared/journal/journal.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { VectorIndexReader } from '../../shared/vectors/vectors.js';

/** `indexed`: the position that the indexers saved. */
export type IsIndexed = (indexed: number, position: number) => Promise<boolean>;

/** With more events than this after the saved position, only the saved position counts. */
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
      return [...newest].every(([id, event]) => isVersionIndexed(versions.get(id), event));
    } catch (error) {
      if (error instanceof DependencyError) return false; // an index that does not answer counts as not indexed
      throw error;
    }
  };
}

/** `version`: of the point, if it exists. A point that a later event deleted counts as missing until the saved position passes the event. */
function isVersionIndexed(version: number | undefined, event: Pick<RecordedEvent, 'type' | 'version'>): boolean {
  return event.type === 'memory.deleted' ? version === undefined : version !== undefined && version >= event.version;
}
