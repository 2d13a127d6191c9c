/** Dead letters: events that a projector could not project. The journal still has the events. */
import type { DeadLetter, DeadLetters } from '../../../ports/journal.js';
import type { Row, Sql } from './sql.js';

export function createDeadLetters(sql: Sql): DeadLetters {
  const { isIn, isTrue, skipLocked } = sql.dialect;
  return {
    add: async ({ projector, eventId, subject, type, version, position, reason, attempts, at }) =>
      void (await sql.write(
        'add_letter',
        `INSERT INTO dead_letters (projector, event_id, subject, type, version, position, reason, attempts, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (projector, event_id) DO UPDATE
         SET reason = excluded.reason, attempts = excluded.attempts, at = excluded.at, awaits_redrive = FALSE`,
        [projector, eventId, subject, type, version, position, reason, attempts, at],
      )),
    get: async (ids) => {
      const text = `SELECT * FROM dead_letters WHERE ${isIn('id', '$1')} ORDER BY id`;
      return (await sql.read('get_letters', text, [ids])).map(deadLetter);
    },
    requestRedrive: async (ids) => {
      const text = `UPDATE dead_letters SET awaits_redrive = TRUE WHERE ${isIn('id', '$1')}`;
      await sql.write('request_redrive', text, [ids]);
    },
    takeRedrives: async (projector, limit) => {
      const taken = await sql.write(
        'take_redrives',
        `UPDATE dead_letters SET awaits_redrive = FALSE WHERE id IN (
           SELECT id FROM dead_letters WHERE projector = $1 AND ${isTrue('awaits_redrive')} ORDER BY id LIMIT $2 ${skipLocked}
         ) RETURNING *`,
        [projector, limit],
      );
      return taken.map(deadLetter).sort((one, other) => one.id - other.id);
    },
    discard: async (ids) =>
      void (await sql.write('discard_letters', `DELETE FROM dead_letters WHERE ${isIn('id', '$1')}`, [ids])),
    list: async ({ projector = null, afterId, limit }) => {
      const rows = await sql.read(
        'list_letters',
        `SELECT * FROM dead_letters WHERE id > $1 AND (CAST($2 AS text) IS NULL OR projector = $2) ORDER BY id LIMIT $3`,
        [afterId, projector, limit],
      );
      return rows.map(deadLetter);
    },
    resolve: async ({ projector, subject, version }) => {
      const text = 'DELETE FROM dead_letters WHERE projector = $1 AND subject = $2 AND version <= $3 RETURNING id';
      return (await sql.write('resolve_letters', text, [projector, subject, version])).length;
    },
    count: async (projector) => {
      const text = 'SELECT count(*) AS count FROM dead_letters WHERE CAST($1 AS text) IS NULL OR projector = $1';
      const [row] = await sql.read<{ count: number }>('count_letters', text, [projector ?? null]);
      return row?.count ?? 0;
    },
    find: async (projector, wanted) => {
      const latest = await sql.read<{ subject: string; version: number }>(
        'latest_letters',
        `SELECT subject, max(version) AS version FROM dead_letters
         WHERE projector = $1 AND ${isIn('subject', '$2')} GROUP BY subject`,
        [projector, wanted.map(({ subject }) => subject)],
      );
      const versions = new Map(latest.map(({ subject, version }) => [subject, version]));
      const found = wanted.filter(({ subject, version }) => (versions.get(subject) ?? -Infinity) >= version);
      return new Set(found.map(({ subject }) => subject));
    },
  };
}

/** The cast is safe because the columns hold what `add` wrote. */
function deadLetter({ event_id, awaits_redrive, ...row }: Row): DeadLetter {
  return { ...row, eventId: event_id, awaitsRedrive: Boolean(awaits_redrive) } as DeadLetter;
}
