/**
 * Deletes the memories of a list in the events of an archive before they are written, so that none of their words reach
 * a store.
 */
import { type RecordedEvent, SCHEMA_VERSIONS } from '../../../shared/contract/events.js';
import type { Ids } from '../../../shared/kernel/clock.js';
import type { CacheEntry } from '../../../shared/ports/embedder.js';
import type { Deletions } from './read-deletions.js';

export type ListedDeletions = {
  /** The same events, without the data of listed memories and of their associations: as after a deletion. */
  readonly erase: (events: readonly RecordedEvent[]) => readonly RecordedEvent[];
  readonly keep: (entries: readonly CacheEntry[]) => readonly CacheEntry[];
  /**
   * Call it after the last event of the archive: the deletions of the listed memories that the archive has and that are
   * not deleted in it.
   */
  readonly events: () => readonly RecordedEvent[];
};

export function createListedDeletions({
  deletions,
  ids,
}: {
  readonly deletions: Deletions;
  readonly ids: Ids;
}): ListedDeletions {
  const deletedAt: ReadonlyMap<string, string> = deletions;
  /** The last event of each listed memory. */
  const newest = new Map<string, RecordedEvent>();
  let head = 0;

  function eraseOne(event: RecordedEvent): RecordedEvent {
    head = Math.max(head, event.position);
    if (deletedAt.has(event.subject) && event.version > (newest.get(event.subject)?.version ?? 0))
      newest.set(event.subject, { ...event, data: null });
    if (event.type === 'memory.deleted') return event;
    // The subject of a memory is its id; that of an association is `source|TYPE|target`.
    return event.subject.split('|').some((part) => deletedAt.has(part)) ? { ...event, data: null } : event;
  }

  return {
    erase: (events) => (deletions.size === 0 ? events : events.map(eraseOne)),
    keep: (entries) => entries.filter(({ memoryId }) => !deletions.has(memoryId)),
    events: () => {
      const present = [...newest.values()].filter(({ type }) => type !== 'memory.deleted');
      const correlationId = ids.uuid();
      return present.map(({ subject, version, revision }, index): RecordedEvent => ({
        type: 'memory.deleted',
        data: {},
        id: ids.uuid(),
        schemaVersion: SCHEMA_VERSIONS['memory.deleted'],
        subject,
        partitionKey: subject,
        version: version + 1,
        revision: revision + 1,
        time: deletedAt.get(subject) ?? '',
        actor: { name: 'restore', tier: 'admin', agent: null },
        correlationId,
        causationId: null,
        traceparent: null,
        tenant: null,
        position: head + index + 1,
      }));
    },
  };
}
