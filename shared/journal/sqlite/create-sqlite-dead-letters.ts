/** Events that a projector could not project, beside the journal that still holds them. */
import type { Database, SqlRow } from '../../sqlite/database.js';
import { procedure, type SqliteHost } from '../../sqlite/host.js';
import type { DeadLetter, DeadLetters } from '../journal.js';

export function createSqliteDeadLetters({ host }: { readonly host: SqliteHost }): DeadLetters {
  return {
    add: (letter) => host.write(addLetter, letter),
    list: async (request) => (await host.read(listLetters, request)).map(deadLetter),
    resolve: (letter) => host.write(resolveLetters, letter),
    count: (projector) => host.read(countLetters, projector ?? null),
    find: async (projector, subjects) => new Set(await host.read(findLetters, { projector, subjects })),
  };
}

export const addLetter = procedure(import.meta.url, 'addLetter', (database, letter: Omit<DeadLetter, 'id'>): void => {
  database.run(
    `INSERT INTO dead_letters (projector, event_id, subject, type, version, position, reason, attempts, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (projector, event_id) DO UPDATE SET reason = excluded.reason, attempts = excluded.attempts, at = excluded.at`,
    [
      letter.projector, letter.eventId, letter.subject, letter.type, letter.version, letter.position, letter.reason, letter.attempts,
      letter.at,
    ],
  );
});

export const listLetters = procedure(
  import.meta.url,
  'listLetters',
  (database, { projector, afterId, limit }: Parameters<DeadLetters['list']>[0]): SqlRow[] =>
    projector === undefined
      ? database.all('SELECT * FROM dead_letters WHERE id > ? ORDER BY id LIMIT ?', [afterId, limit])
      : database.all('SELECT * FROM dead_letters WHERE projector = ? AND id > ? ORDER BY id LIMIT ?', [projector, afterId, limit]),
);

export const resolveLetters = procedure(
  import.meta.url,
  'resolveLetters',
  (database, { projector, subject, version }: Parameters<DeadLetters['resolve']>[0]): number =>
    database.run('DELETE FROM dead_letters WHERE projector = ? AND subject = ? AND version <= ?', [projector, subject, version]).changes,
);

export const countLetters = procedure(import.meta.url, 'countLetters', (database, projector: string | null): number => {
  const row = projector === null
    ? database.get('SELECT COUNT(*) AS n FROM dead_letters')
    : database.get('SELECT COUNT(*) AS n FROM dead_letters WHERE projector = ?', [projector]);
  return Number(row?.['n']);
});

type FindArgs = { readonly projector: string; readonly subjects: readonly { readonly subject: string; readonly version: number }[] };

export const findLetters = procedure(import.meta.url, 'findLetters', (database, { projector, subjects }: FindArgs): string[] =>
  subjects.filter((wanted) => hasLetter(database, { projector, ...wanted })).map(({ subject }) => subject),
);

function hasLetter(database: Database, wanted: { readonly projector: string; readonly subject: string; readonly version: number }): boolean {
  const sql = 'SELECT 1 FROM dead_letters WHERE projector = ? AND subject = ? AND version >= ? LIMIT 1';
  return database.get(sql, [wanted.projector, wanted.subject, wanted.version]) !== undefined;
}

/** What `addLetter` wrote is what comes back, so the columns have the types of the letter. */
function deadLetter({ event_id, ...row }: SqlRow): DeadLetter {
  return { ...row, eventId: event_id } as DeadLetter;
}
