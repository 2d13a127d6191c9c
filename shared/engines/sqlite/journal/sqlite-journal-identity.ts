/** The identity of the journal in SQLite. Its graph commits with it, so all committed events are applied. */
import type { JournalIdentity, JournalState } from '../../../ports/journal-identity.js';
import { procedure, type SqliteHost } from '../threads/host.js';

export function createSqliteJournalIdentity({
  host,
}: {
  readonly host: Pick<SqliteHost, 'read' | 'write'>;
}): JournalIdentity {
  return {
    state: () => host.read(readJournalState, null),
    eventIdAt: (position) => host.read(readEventIdAt, position),
    saveGraphMarked: () => host.write(saveGraphMarked, null),
    saveGraphBehind: (from) => host.write(saveGraphBehind, from),
    saveGraphCaughtUp: (from) => host.write(saveGraphCaughtUp, from),
    // No other process reads it while this one has the data folder.
    saveRebuild: () => Promise.resolve(),
  };
}

export const readJournalState = procedure(
  import.meta.url,
  'readJournalState',
  (database, _args: null): JournalState => {
    const row = database.get(
      'SELECT id, has_marked_graph, graph_behind_from, (SELECT max(position) FROM journal) AS head FROM journal_identity',
    );
    const head = Number(row?.['head'] ?? 0);
    const behindFrom = row?.['graph_behind_from'];
    return {
      id: String(row?.['id']),
      head,
      applied: head,
      hasMarkedGraph: row?.['has_marked_graph'] === 1,
      behindFrom: typeof behindFrom === 'number' ? behindFrom : null,
      rebuild: null,
    };
  },
);

export const readEventIdAt = procedure(
  import.meta.url,
  'readEventIdAt',
  (database, position: number): string | null => {
    const id = database.get('SELECT event_id FROM journal WHERE position = ?', [position])?.['event_id'];
    return typeof id === 'string' ? id : null;
  },
);

export const saveGraphMarked = procedure(import.meta.url, 'saveGraphMarked', (database, _args: null): void => {
  database.run('UPDATE journal_identity SET has_marked_graph = 1');
});

export const saveGraphBehind = procedure(import.meta.url, 'saveGraphBehind', (database, from: number): void => {
  database.run('UPDATE journal_identity SET graph_behind_from = min(coalesce(graph_behind_from, ?1), ?1)', [from]);
});

export const saveGraphCaughtUp = procedure(import.meta.url, 'saveGraphCaughtUp', (database, from: number): void => {
  database.run('UPDATE journal_identity SET graph_behind_from = NULL WHERE graph_behind_from = ?', [from]);
});
