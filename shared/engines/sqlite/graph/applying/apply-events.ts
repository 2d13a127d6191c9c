/**
 * Applies events to the graph. The committer calls `applyEvent` inside its own transaction; the graph writer and
 * rebuilds call the procedure.
 */
import type { EntityRecord } from '../../../../contract/entities/entity.js';
import type { MemoryState, RecordedEvent } from '../../../../contract/events.js';
import type { Database } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { advanceMark } from './advance-mark.js';
import { replaceDerived } from './replace-derived.js';
import { upsertAssociation } from './upsert-association.js';
import { deleteMemory, type MemoryUpsert, upsertMemory } from './upsert-memory.js';

export const applyEvents = procedure(
  import.meta.url,
  'applyEvents',
  (database, events: readonly RecordedEvent[]): void => {
    for (const event of events) {
      applyEvent(database, event);
      advanceMark(database, event);
    }
  },
);

/**
 * Idempotent and guarded by versions, as GraphWriter.apply promises. Skips an event whose data was erased, except a
 * deletion and the position of a stored event.
 */
export function applyEvent(database: Database, event: RecordedEvent): void {
  switch (event.type) {
    case 'memory.stored':
    case 'memory.updated':
    case 'memory.enrichment.requested':
    case 'memory.enrichment.failed':
    case 'memory.relevance.changed':
    case 'memory.archived':
    case 'memory.restored':
      if (event.data) upsertMemory(database, upsertOf(event, event.data));
      else if (event.type === 'memory.stored') database.run(SET_POSITION, [event.subject, event.position]);
      return;
    case 'memory.enriched':
    case 'memory.cluster.changed': {
      if (!event.data) return;
      upsertMemory(database, upsertOf(event, event.data));
      return replaceDerived(database, {
        id: event.subject,
        version: event.version,
        at: event.time,
        set: event.data.derived,
      });
    }
    case 'memory.deleted':
      // A deletion needs no data, so it also applies after its data was erased.
      return deleteMemory(database, { id: event.subject, version: event.version, revision: event.revision });
    case 'association.created':
    case 'association.updated':
      if (event.data)
        upsertAssociation(database, { ...event.data.association, version: event.version, revision: event.revision });
      return;
    case 'entity.merged':
    case 'entity.updated':
      if (event.data)
        upsertEntity(database, { id: event.subject, version: event.version, revision: event.revision, ...event.data });
      return;
    case 'key.created':
    case 'key.rotated':
    case 'key.revoked':
      return; // not part of the graph
    default:
      return event satisfies never;
  }
}

/** A memory that was stored again keeps the last position. A missing one gets a placeholder. */
const SET_POSITION = `INSERT INTO memories (id, version, revision, present, position) VALUES (?1, 0, 0, 0, ?2)
  ON CONFLICT (id) DO UPDATE SET position = ?2 WHERE coalesce(position, 0) < ?2`;

/** A later event of a meta memory erases the data of its `memory.stored`, so each one may replace a tombstone. */
function upsertOf(
  { type, version, revision, position }: RecordedEvent,
  data: MemoryState & { readonly changed: readonly string[] },
): MemoryUpsert {
  return {
    ...data,
    version,
    revision,
    position: type === 'memory.stored' ? position : null,
    isStored: type === 'memory.stored' || data.memory.type === 'MetaPattern',
  };
}

const WRITE = `INSERT INTO entity_records (id, key, version, revision, body) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET key = excluded.key, version = excluded.version, revision = excluded.revision, body = excluded.body
  WHERE excluded.version > entity_records.version`;

type EntityUpsert = {
  readonly id: string;
  readonly version: number;
  readonly revision: number;
  readonly entity: EntityRecord;
};

/** Writes the record of an entity. */
function upsertEntity(database: Database, { id, version, revision, entity }: EntityUpsert): void {
  database.run(WRITE, [id, `${entity.category}:${entity.slug}`, version, revision, JSON.stringify(entity)]);
}
