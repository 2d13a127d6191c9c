/** What the loaders of a restored journal share: which events leave a subject, and the SQL of the erasures. */
import type { RecordedEvent } from '../../contract/events.js';

/** A subject whose last event has no data was deleted after the backup began. */
export function isPresent({ type, data }: RecordedEvent): boolean {
  return type !== 'memory.deleted' && data !== null;
}

/** Both ends of an association that exists; none for a memory. */
export function endsOf(event: RecordedEvent): readonly string[] {
  const isAssociation = event.type === 'association.created' || event.type === 'association.updated';
  return isAssociation && event.data ? [event.data.association.source, event.data.association.target] : [];
}

/**
 * Erases the data of events with a later deletion, or with a later event that was already erased. The deletion keeps
 * its own, which has no content. `which`: a condition on the rows of `journal`, for a part of them.
 */
export const eraseFormer = (
  which = 'true',
): string => `UPDATE journal SET data = NULL WHERE ${which} AND data IS NOT NULL AND EXISTS (
  SELECT 1 FROM journal AS later WHERE later.subject = journal.subject AND later.version > journal.version
    AND (later.type = 'memory.deleted' OR later.data IS NULL)
)`;

/** Lists the deletions whose associations may still have data, for the cleaning that erases them. */
export const listErasures = (which = 'true'): string => `INSERT INTO erasures (memory_id, until, after)
  SELECT subject, position, '' FROM journal
  WHERE ${which} AND type = 'memory.deleted' AND EXISTS (SELECT 1 FROM association_ends WHERE memory_id = journal.subject)
  ON CONFLICT DO NOTHING`;
