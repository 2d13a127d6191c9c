/** Appends, loads, erases and reads journal rows inside a transaction of the caller. */
import type { Envelope } from '../../../contract/envelope.js';
import type { NewEvent, RecordedEvent } from '../../../contract/events.js';
import type { Database, SqlRow } from '../threads/database.js';

const COLUMNS =
  'event_id, type, schema_version, subject, partition_key, version, revision, time, actor, correlation_id, causation_id, traceparent, tenant, data';

export const SELECT_EVENTS = `SELECT position, ${COLUMNS} FROM journal`;
const PLACES = COLUMNS.replaceAll(/\w+/gu, '?');
const APPEND_EVENT = `INSERT INTO journal (${COLUMNS}) VALUES (${PLACES})`;
const LOAD_EVENT = `INSERT OR IGNORE INTO journal (position, ${COLUMNS}) VALUES (?, ${PLACES})`;

/** Appends one event and returns its position. `dataText` is its data as JSON, prepared outside the writer thread. */
export function appendEvent(database: Database, event: NewEvent, dataText: string): number {
  return database.run(APPEND_EVENT, valuesOf(event, dataText)).lastInsertRowid;
}

/** Inserts an event of another journal with its position. An event that is there already changes nothing. */
export function loadEvent(database: Database, event: RecordedEvent): void {
  const dataText = event.data === null ? null : JSON.stringify(event.data);
  database.run(LOAD_EVENT, [event.position, ...valuesOf(event, dataText)]);
}

function valuesOf(event: Envelope, dataText: string | null) {
  return [
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
  ];
}

/** Erases the data of every event of this subject in the journal; the envelopes stay. */
export function eraseEvents(database: Database, subject: string): void {
  database.run('UPDATE journal SET data = NULL WHERE subject = ? AND data IS NOT NULL', [subject]);
}

/** The events of one command, which have consecutive positions. */
export function selectEvents(database: Database, range: { readonly first: number; readonly last: number }): SqlRow[] {
  return database.all(`${SELECT_EVENTS} WHERE position BETWEEN ? AND ? ORDER BY position`, [range.first, range.last]);
}
