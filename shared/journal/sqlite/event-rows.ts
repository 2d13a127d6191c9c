/** Appends, erases and reads journal rows inside the transaction of the committer. */
import type { NewEvent } from '../../contract/events.js';
import type { Database, SqlRow } from '../../sqlite/database.js';

const COLUMNS =
  'event_id, type, schema_version, subject, partition_key, version, revision, time, actor, correlation_id, causation_id, traceparent, tenant, data';

export const SELECT_EVENTS = `SELECT position, ${COLUMNS} FROM journal`;
const INSERT_EVENT = `INSERT INTO journal (${COLUMNS}) VALUES (${COLUMNS.split(',')
  .map(() => '?')
  .join(', ')})`;

/** Appends one event and returns its position. `dataText` is its data as JSON, prepared outside the writer thread. */
export function appendEvent(database: Database, event: NewEvent, dataText: string): number {
  return database.run(INSERT_EVENT, [
    event.id,
    event.type,
    event.schemaVersion,
    event.subject,
    event.partitionKey,
    event.version,
    event.revision,
    event.time,
    JSON.stringify(event.actor),
    event.correlationId,
    event.causationId,
    event.traceparent,
    event.tenant,
    dataText,
  ]).lastInsertRowid;
}

/** Erases the data of every event of this subject in the journal; the envelopes stay. */
export function eraseEvents(database: Database, subject: string): void {
  database.run('UPDATE journal SET data = NULL WHERE subject = ? AND data IS NOT NULL', [subject]);
}

/** The events of one command, which have consecutive positions. */
export function selectEvents(database: Database, range: { readonly first: number; readonly last: number }): SqlRow[] {
  return database.all(`${SELECT_EVENTS} WHERE position BETWEEN ? AND ? ORDER BY position`, [range.first, range.last]);
}
