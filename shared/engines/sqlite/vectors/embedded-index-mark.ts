/** The mark of the embedded vector index: one row in the file of the points. */
import type { JournalMark } from '../../../contract/envelope.js';
import type { IndexMark } from '../../../ports/index-mark.js';
import { procedure, type SqliteHost } from '../threads/host.js';
import { rethrowAsVectors } from './rethrow-as-vectors.js';

export function createEmbeddedIndexMark({
  host,
}: {
  readonly host: Pick<SqliteHost, 'read' | 'writeDerived'>;
}): IndexMark {
  return {
    read: () => host.read(readIndexMark, null).catch(rethrowAsVectors),
    advance: (mark) => host.writeDerived(advanceIndexMark, mark).catch(rethrowAsVectors),
  };
}

export const readIndexMark = procedure(
  import.meta.url,
  'readIndexMark',
  (database, _args: null): JournalMark | null => {
    const row = database.get('SELECT journal_id, position, event_id FROM index_mark');
    return (
      (row && {
        journalId: String(row['journal_id']),
        position: Number(row['position']),
        eventId: String(row['event_id']),
      }) ??
      null
    );
  },
);

export const advanceIndexMark = procedure(import.meta.url, 'advanceIndexMark', (database, mark: JournalMark): void => {
  database.run(ADVANCE, [mark.journalId, mark.position, mark.eventId]);
});

const ADVANCE = `
  INSERT INTO index_mark (only_row, journal_id, position, event_id) VALUES (1, ?, ?, ?)
  ON CONFLICT (only_row) DO UPDATE SET position = excluded.position, event_id = excluded.event_id
   WHERE excluded.journal_id = journal_id AND excluded.position > position`;
