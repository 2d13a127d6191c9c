/** The mark of the graph in SQLite: one row, written with the events. */
import type { JournalMark } from '../../../contract/envelope.js';
import type { GraphMark, MarkOfGraph } from '../../../ports/graph-mark.js';
import { procedure, type SqliteHost } from '../threads/host.js';
import { withGraphErrors } from './graph-errors.js';

export function createSqliteGraphMark({ host }: { readonly host: Pick<SqliteHost, 'read' | 'write'> }): GraphMark {
  return {
    read: () => withGraphErrors(host.read(readGraphMark, null)),
    begin: (mark) => withGraphErrors(host.write(beginGraphMark, mark)),
    // Graph and journal are one file, so neither goes back alone.
    beginReplay: () => Promise.resolve(),
    endReplay: () => Promise.resolve(true),
    hasSubjects: () => withGraphErrors(host.read(hasSubjects, null)),
  };
}

export const readGraphMark = procedure(
  import.meta.url,
  'readGraphMark',
  (database, _args: null): MarkOfGraph | null => {
    const row = database.get('SELECT journal_id, position, event_id FROM graph_mark');
    if (row === undefined) return null;
    const eventId = row['event_id'];
    return {
      journalId: String(row['journal_id']),
      position: Number(row['position']),
      eventId: typeof eventId === 'string' ? eventId : null,
      nodes: new Map(),
      replayId: null,
    };
  },
);

/** The count of changes begins at a random number, so that no count of an earlier graph returns. */
const BEGIN = `INSERT OR IGNORE INTO graph_mark (only_row, journal_id, position, event_id, changes)
  VALUES (1, ?, ?, ?, abs(random() % 1000000000000))`;

export const beginGraphMark = procedure(import.meta.url, 'beginGraphMark', (database, mark: JournalMark): void => {
  database.run(BEGIN, [mark.journalId, mark.position, mark.eventId]);
});

export const hasSubjects = procedure(
  import.meta.url,
  'hasSubjects',
  (database, _args: null): boolean => database.get('SELECT n FROM memories LIMIT 1') !== undefined,
);
