/** Fills an empty journal in SQLite. Its stream reads the journal, so nothing is queued. */
import type { RecordedEvent } from '../../contract/events.js';
import { procedure, type SqliteHost } from '../../sqlite/host.js';
import { endsOf, ERASE_FORMER, isPresent, type JournalLoader, LIST_ERASURES } from '../journal-loader.js';

export function createSqliteJournalLoader({ host }: { readonly host: Pick<SqliteHost, 'write'> }): JournalLoader {
  return { load: (events) => host.write(loadEvents, events), finish: () => host.write(finishLoad, null) };
}

const INSERT_EVENT = `INSERT OR IGNORE INTO journal
  (position, event_id, type, schema_version, subject, partition_key, version, revision, time, actor, correlation_id, causation_id, traceparent, tenant, data)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const MOVE_SUBJECT = `INSERT INTO subjects (subject, version, revision, present) VALUES (?, ?, ?, ?)
  ON CONFLICT (subject) DO UPDATE SET version = excluded.version, revision = excluded.revision, present = excluded.present
  WHERE excluded.version > version`;
const ADD_END = 'INSERT OR IGNORE INTO association_ends (memory_id, subject) VALUES (?, ?)';

export const loadEvents = procedure(
  import.meta.url,
  'loadEvents',
  (database, events: readonly RecordedEvent[]): void => {
    for (const event of events) {
      const { subject, version, revision } = event;
      database.run(INSERT_EVENT, rowOf(event));
      database.run(MOVE_SUBJECT, [subject, version, revision, isPresent(event) ? 1 : 0]);
      for (const end of endsOf(event)) database.run(ADD_END, [end, subject]);
    }
  },
);

export const finishLoad = procedure(import.meta.url, 'finishLoad', (database, _args: null): void => {
  database.run(ERASE_FORMER, []);
  database.run(LIST_ERASURES, []);
});

function rowOf(event: RecordedEvent) {
  return [
    event.position,
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
    event.data === null ? null : JSON.stringify(event.data),
  ];
}
