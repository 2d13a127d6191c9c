/** Dead letters in SQLite: events that a projector could not project. The journal still has the events. */
import type { DeadLetter, DeadLetters, NewDeadLetter } from '../../../ports/journal.js';
import type { Database, SqlRow } from '../threads/database.js';
import { procedure, type SqliteHost } from '../threads/host.js';

export function createSqliteDeadLetters({ host }: { readonly host: SqliteHost }): DeadLetters {
  return {
    add: (letter) => host.write(addLetter, letter),
    get: async (ids) => (await host.read(getLetters, ids)).map(deadLetter),
    requestRedrive: (ids) => host.write(requestRedrives, ids),
    takeRedrives: async (projector, limit) => (await host.write(takeRedrives, { projector, limit })).map(deadLetter),
    discard: (ids) => host.write(discardLetters, ids),
    list: async (request) => (await host.read(listLetters, request)).map(deadLetter),
    resolve: (letter) => host.write(resolveLetters, letter),
    count: (projector) => host.read(countLetters, projector ?? null),
    find: async (projector, subjects) => new Set(await host.read(findLetters, { projector, subjects })),
  };
}

export const addLetter = procedure(import.meta.url, 'addLetter', (database, letter: NewDeadLetter): void => {
  database.run(
    `INSERT INTO dead_letters (projector, event_id, subject, type, version, position, reason, attempts, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (projector, event_id) DO UPDATE SET reason = excluded.reason, attempts = excluded.attempts, at = excluded.at, awaits_redrive = 0`,
    [
      letter.projector,
      letter.eventId,
      letter.subject,
      letter.type,
      letter.version,
      letter.position,
      letter.reason,
      letter.attempts,
      letter.at,
    ],
  );
});

export const getLetters = procedure(import.meta.url, 'getLetters', (database, ids: readonly number[]): SqlRow[] =>
  database.all('SELECT * FROM dead_letters WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id', [
    JSON.stringify(ids),
  ]),
);

export const requestRedrives = procedure(
  import.meta.url,
  'requestRedrives',
  (database, ids: readonly number[]): void => {
    database.run('UPDATE dead_letters SET awaits_redrive = 1 WHERE id IN (SELECT value FROM json_each(?))', [
      JSON.stringify(ids),
    ]);
  },
);

export const takeRedrives = procedure(
  import.meta.url,
  'takeRedrives',
  (database, { projector, limit }: { readonly projector: string; readonly limit: number }): SqlRow[] => {
    const taken = database.all(
      'SELECT * FROM dead_letters WHERE projector = ? AND awaits_redrive = 1 ORDER BY id LIMIT ?',
      [projector, limit],
    );
    for (const { id } of taken) database.run('UPDATE dead_letters SET awaits_redrive = 0 WHERE id = ?', [id ?? null]);
    return taken.map((row) => ({ ...row, awaits_redrive: 0 }));
  },
);

export const discardLetters = procedure(import.meta.url, 'discardLetters', (database, ids: readonly number[]): void => {
  database.run('DELETE FROM dead_letters WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
});

export const listLetters = procedure(
  import.meta.url,
  'listLetters',
  (database, { projector, afterId, limit }: Parameters<DeadLetters['list']>[0]): SqlRow[] =>
    projector === undefined
      ? database.all('SELECT * FROM dead_letters WHERE id > ? ORDER BY id LIMIT ?', [afterId, limit])
      : database.all('SELECT * FROM dead_letters WHERE projector = ? AND id > ? ORDER BY id LIMIT ?', [
          projector,
          afterId,
          limit,
        ]),
);

export const resolveLetters = procedure(
  import.meta.url,
  'resolveLetters',
  (database, { projector, subject, version }: Parameters<DeadLetters['resolve']>[0]): number =>
    database.run('DELETE FROM dead_letters WHERE projector = ? AND subject = ? AND version <= ?', [
      projector,
      subject,
      version,
    ]).changes,
);

export const countLetters = procedure(import.meta.url, 'countLetters', (database, projector: string | null): number => {
  const row =
    projector === null
      ? database.get('SELECT COUNT(*) AS n FROM dead_letters')
      : database.get('SELECT COUNT(*) AS n FROM dead_letters WHERE projector = ?', [projector]);
  return Number(row?.['n']);
});

type FindArgs = {
  readonly projector: string;
  readonly subjects: readonly { readonly subject: string; readonly version: number }[];
};

export const findLetters = procedure(
  import.meta.url,
  'findLetters',
  (database, { projector, subjects }: FindArgs): string[] =>
    hasAny(database, projector)
      ? subjects.filter((wanted) => hasLetter(database, { projector, ...wanted })).map(({ subject }) => subject)
      : [],
);

function hasAny(database: Database, projector: string): boolean {
  return database.get('SELECT 1 FROM dead_letters WHERE projector = ? LIMIT 1', [projector]) !== undefined;
}

function hasLetter(
  database: Database,
  wanted: { readonly projector: string; readonly subject: string; readonly version: number },
): boolean {
  const sql = 'SELECT 1 FROM dead_letters WHERE projector = ? AND subject = ? AND version >= ? LIMIT 1';
  return database.get(sql, [wanted.projector, wanted.subject, wanted.version]) !== undefined;
}

/** The cast is safe because the columns hold what `addLetter` wrote. */
function deadLetter({ event_id, awaits_redrive, ...row }: SqlRow): DeadLetter {
  return { ...row, eventId: event_id, awaitsRedrive: awaits_redrive === 1 } as DeadLetter;
}
