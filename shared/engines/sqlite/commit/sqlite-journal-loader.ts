/** Fills an empty journal in SQLite. Its stream reads the journal, so nothing is queued. */
import type { RecordedEvent } from '../../../contract/events.js';
import type { JournalLoader } from '../../../ports/journal-loader.js';
import { endsOf, eraseFormer, isPresent, listErasures } from '../../sql/load-journal.js';
import { loadEvent } from '../journal/event-rows.js';
import { procedure, type SqliteHost } from '../threads/host.js';

export function createSqliteJournalLoader({ host }: { readonly host: Pick<SqliteHost, 'write'> }): JournalLoader {
  return { load: (events) => host.write(loadEvents, events), finish: () => host.write(finishLoad, null) };
}

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
      loadEvent(database, event);
      database.run(MOVE_SUBJECT, [subject, version, revision, isPresent(event) ? 1 : 0]);
      for (const end of endsOf(event)) database.run(ADD_END, [end, subject]);
    }
  },
);

export const finishLoad = procedure(import.meta.url, 'finishLoad', (database, _args: null): void => {
  database.run(eraseFormer(), []);
  database.run(listErasures(), []);
});
