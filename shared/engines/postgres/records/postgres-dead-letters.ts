/** Dead letters in Postgres: events that a projector could not project. The journal still has the events. */
import type { DeadLetter, DeadLetters } from '../../../ports/journal.js';
import { type Postgres, type Row, statement } from '../connection/postgres.js';
import { journalMigrations } from '../schema/journal.js';

const ADD = statement(
  journalMigrations,
  'add_letter',
  `INSERT INTO dead_letters (projector, event_id, subject, type, version, position, reason, attempts, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT (projector, event_id) DO UPDATE SET reason = excluded.reason, attempts = excluded.attempts, at = excluded.at, awaits_redrive = false`,
);
const GET = statement(
  journalMigrations,
  'get_letters',
  'SELECT * FROM dead_letters WHERE id = ANY ($1::bigint[]) ORDER BY id',
);
const REQUEST_REDRIVE = statement(
  journalMigrations,
  'request_redrive',
  'UPDATE dead_letters SET awaits_redrive = true WHERE id = ANY ($1::bigint[])',
);
// Skips letters that another instance is taking at the same time.
const TAKE_REDRIVES = statement(
  journalMigrations,
  'take_redrives',
  `UPDATE dead_letters SET awaits_redrive = false WHERE id IN (
     SELECT id FROM dead_letters WHERE projector = $1 AND awaits_redrive ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
   ) RETURNING *`,
);
const DISCARD = statement(
  journalMigrations,
  'discard_letters',
  'DELETE FROM dead_letters WHERE id = ANY ($1::bigint[])',
);
const LIST = statement(
  journalMigrations,
  'list_letters',
  'SELECT * FROM dead_letters WHERE id > $1 AND ($2::text IS NULL OR projector = $2) ORDER BY id LIMIT $3',
);
const RESOLVE = statement(
  journalMigrations,
  'resolve_letters',
  'DELETE FROM dead_letters WHERE projector = $1 AND subject = $2 AND version <= $3',
);
const COUNT = statement(
  journalMigrations,
  'count_letters',
  'SELECT count(*) AS count FROM dead_letters WHERE $1::text IS NULL OR projector = $1',
);
const FIND = statement(
  journalMigrations,
  'find_letters',
  `SELECT wanted.subject FROM unnest($2::text[], $3::integer[]) AS wanted (subject, version)
   WHERE EXISTS (
     SELECT FROM dead_letters AS letter
     WHERE letter.projector = $1 AND letter.subject = wanted.subject AND letter.version >= wanted.version
   )`,
);

export function createPostgresDeadLetters({ postgres }: { readonly postgres: Postgres }): DeadLetters {
  return {
    add: async (letter) => {
      await postgres.query(ADD, [
        letter.projector,
        letter.eventId,
        letter.subject,
        letter.type,
        letter.version,
        letter.position,
        withoutNul(letter.reason),
        letter.attempts,
        letter.at,
      ]);
    },
    get: async (ids) => (await postgres.query(GET, [ids])).rows.map(deadLetter),
    requestRedrive: async (ids) => {
      await postgres.query(REQUEST_REDRIVE, [ids]);
    },
    takeRedrives: async (projector, limit) =>
      (await postgres.query(TAKE_REDRIVES, [projector, limit])).rows
        .map(deadLetter)
        .sort((one, other) => one.id - other.id),
    discard: async (ids) => {
      await postgres.query(DISCARD, [ids]);
    },
    list: async ({ projector, afterId, limit }) =>
      (await postgres.query(LIST, [afterId, projector ?? null, limit])).rows.map(deadLetter),
    resolve: async ({ projector, subject, version }) =>
      (await postgres.query(RESOLVE, [projector, subject, version])).count,
    count: async (projector) =>
      (await postgres.query<{ count: number }>(COUNT, [projector ?? null])).rows[0]?.count ?? 0,
    find: async (projector, wanted) => {
      const params = [projector, wanted.map(({ subject }) => subject), wanted.map(({ version }) => version)];
      const { rows } = await postgres.query<{ subject: string }>(FIND, params);
      return new Set(rows.map(({ subject }) => subject));
    },
  };
}

/** Postgres cannot store a NUL character in a text, and a reason may quote any text. */
function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD');
}

/** The cast is safe because the columns hold what `ADD` wrote. */
function deadLetter({ event_id, awaits_redrive, ...row }: Row): DeadLetter {
  return { ...row, eventId: event_id, awaitsRedrive: awaits_redrive } as DeadLetter;
}
