/** The identity of the journal in SQLite. Its graph commits with it, so all committed events are applied. */
import type { JournalIdentity, JournalState, SeenEvent } from '../../../ports/journal-identity.js';
import { UUID } from '../schema/journal.js';
import { procedure, type SqliteHost } from '../threads/host.js';

export function createSqliteJournalIdentity({
  host,
}: {
  readonly host: Pick<SqliteHost, 'read' | 'write'>;
}): JournalIdentity {
  return {
    state: () => host.read(readJournalState, null),
    id: async () => (await host.read(readJournalState, null)).id,
    eventIdsAt: (positions) => host.read(readEventIdsAt, positions),
    saveLost: (event) => host.write(saveLost, event),
    beginHistory: () => host.write(beginHistory, null),
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
      `SELECT id, has_marked_graph, graph_behind_from, lost_position, lost_event_id,
         (SELECT max(position) FROM journal) AS head FROM journal_identity`,
    );
    const head = Number(row?.['head'] ?? 0);
    const behindFrom = row?.['graph_behind_from'];
    return {
      id: String(row?.['id']),
      head,
      applied: head,
      hasMarkedGraph: row?.['has_marked_graph'] === 1,
      behindFrom: typeof behindFrom === 'number' ? behindFrom : null,
      lost:
        typeof row?.['lost_position'] === 'number'
          ? { position: row['lost_position'], eventId: String(row['lost_event_id']) }
          : null,
      rebuild: null,
    };
  },
);

export const readEventIdsAt = procedure(
  import.meta.url,
  'readEventIdsAt',
  (database, positions: readonly number[]): ReadonlyMap<number, string> =>
    new Map(
      positions.flatMap((position) => {
        const id = database.get('SELECT event_id FROM journal WHERE position = ?', [position])?.['event_id'];
        return typeof id === 'string' ? [[position, id] as const] : [];
      }),
    ),
);

export const saveLost = procedure(
  import.meta.url,
  'saveLost',
  (database, { position, eventId, journalId }: SeenEvent): void => {
    database.run(
      `UPDATE journal_identity SET lost_position = ?, lost_event_id = ?
       WHERE lost_position IS NULL AND id = coalesce(?, id)`,
      [position, eventId, journalId],
    );
  },
);

export const beginHistory = procedure(import.meta.url, 'beginHistory', (database, _args: null): void => {
  database.run(`UPDATE journal_identity SET id = ${UUID}, lost_position = NULL, lost_event_id = NULL`);
  for (const mark of ['graph_mark', 'index_mark'])
    database.run(`UPDATE ${mark} SET journal_id = (SELECT id FROM journal_identity)`);
});

export const saveGraphMarked = procedure(import.meta.url, 'saveGraphMarked', (database, _args: null): void => {
  database.run('UPDATE journal_identity SET has_marked_graph = 1');
});

export const saveGraphBehind = procedure(import.meta.url, 'saveGraphBehind', (database, from: number): void => {
  database.run('UPDATE journal_identity SET graph_behind_from = min(coalesce(graph_behind_from, ?1), ?1)', [from]);
});

export const saveGraphCaughtUp = procedure(import.meta.url, 'saveGraphCaughtUp', (database, from: number): void => {
  database.run('UPDATE journal_identity SET graph_behind_from = NULL WHERE graph_behind_from = ?', [from]);
});
