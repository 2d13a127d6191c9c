/**
 * How the graph follows the events. The committer calls `applyEvent` inside its own transaction, the graph writer through
 * `applyEvents`; either way an event that is not newer than its subject changes nothing.
 */
import type { Association } from '../../contract/association.js';
import type { RecordedEvent } from '../../contract/events.js';
import type { Database } from '../../sqlite/database.js';
import { procedure } from '../../sqlite/host.js';
import { buryMemory, putMemory, type MemoryRow } from './put-memory.js';

/** Runs inside the caller's transaction and throws what the database throws. */
export function applyEvent(database: Database, event: RecordedEvent): void {
  switch (event.type) {
    case 'memory.stored':
    case 'memory.updated':
      // Without its words an event says nothing: a deletion of this memory follows.
      return event.data === null ? undefined : applyMemory(database, event, (row) => putMemory(database, event, row));
    case 'memory.deleted':
      return applyMemory(database, event, (row) => buryMemory(database, event, row));
    case 'association.created':
    case 'association.updated':
      return event.data === null ? undefined : putAssociation(database, event, event.data.association);
    default:
      return event satisfies never;
  }
}

export const applyEvents = procedure(import.meta.url, 'applyEvents', (database, events: readonly RecordedEvent[]): void => {
  for (const event of events) applyEvent(database, event);
});

function applyMemory(database: Database, event: RecordedEvent, apply: (row: MemoryRow | undefined) => void): void {
  const row = database.get('SELECT n, version, present, importance, timestamp, last_accessed, analyzer_version FROM memories WHERE id = ?', [
    event.subject,
  ]) as MemoryRow | undefined;
  const isLate = row !== undefined && (row.present === 0 || row.version >= event.version);
  if (!isLate) apply(row);
}

/** Nothing comes of it while an end is absent: deletion takes a memory's associations with it, for ever. */
const PUT_ASSOCIATION = `
INSERT INTO associations (source, target, type, strength, created_at, updated_at, properties, version, revision)
SELECT source.n, target.n, ?, ?, ?, ?, ?, ?, ?
FROM memories AS source, memories AS target
WHERE source.id = ? AND source.present = 1 AND target.id = ? AND target.present = 1
ON CONFLICT (source, target, type) DO UPDATE SET
  strength = excluded.strength, created_at = excluded.created_at, updated_at = excluded.updated_at,
  properties = excluded.properties, version = excluded.version, revision = excluded.revision
WHERE excluded.version > version`;

function putAssociation(database: Database, event: RecordedEvent, association: Association): void {
  const { source, target, type, strength, created_at, updated_at, properties } = association;
  database.run(PUT_ASSOCIATION, [
    type, strength, created_at, updated_at, JSON.stringify(properties), event.version, event.revision, source, target,
  ]);
}
