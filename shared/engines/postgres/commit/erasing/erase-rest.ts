/** Erases one batch of the associations that a deletion left in `erasures`, in Postgres. */
import { ERASED_AT_ONCE } from '../../../sql/erased-at-once.js';
import { type Postgres, type Queryable, statement } from '../../connection/postgres.js';
import { journalMigrations } from '../../schema/journal.js';
import { eraseSubjects } from './erase-subjects.js';

const COUNT = statement(journalMigrations, 'find_erasure', 'SELECT FROM erasures LIMIT 1');

/** SKIP LOCKED, so that another process takes another memory. */
const TAKE = statement(
  journalMigrations,
  'take_erasure',
  'SELECT memory_id, until, after FROM erasures ORDER BY memory_id, until LIMIT 1 FOR UPDATE SKIP LOCKED',
);

/** Continues behind the last batch, so that no batch reads the dead rows of the batches before it again. */
const PAGE = statement(
  journalMigrations,
  'page_erasure',
  `SELECT subject FROM association_ends WHERE memory_id = $1 AND subject > $2 ORDER BY subject LIMIT ${ERASED_AT_ONCE}`,
);

/** In the order of every group's locks. An association with a later event belongs to a memory that has returned. */
const LOCK_FORMER = statement(
  journalMigrations,
  'lock_former',
  `SELECT subject FROM subjects AS known
   WHERE subject = ANY ($1) AND NOT EXISTS (SELECT FROM journal AS event WHERE event.subject = known.subject AND event.position > $2)
   ORDER BY subject COLLATE "C" FOR UPDATE`,
);

const CONTINUE = statement(
  journalMigrations,
  'continue_erasure',
  'UPDATE erasures SET after = $3 WHERE memory_id = $1 AND until = $2',
);
const END = statement(journalMigrations, 'end_erasure', 'DELETE FROM erasures WHERE memory_id = $1 AND until = $2');

type Erasure = { readonly memory_id: string; readonly until: number; readonly after: string };

/** Returns false when nothing is left. */
export async function eraseRest(postgres: Postgres): Promise<boolean> {
  const { count } = await postgres.query(COUNT);
  return count > 0 && postgres.transaction(eraseBatch);
}

async function eraseBatch(transaction: Queryable): Promise<boolean> {
  const [erasure] = (await transaction.query<Erasure>(TAKE)).rows;
  if (!erasure) return false;
  const { memory_id: memoryId, until, after } = erasure;
  const page = await transaction.query<{ subject: string }>(PAGE, [memoryId, after]);
  const subjects = page.rows.map(({ subject }) => subject);
  const former = await transaction.query<{ subject: string }>(LOCK_FORMER, [subjects, until]);
  await eraseSubjects(transaction, { others: [], associations: former.rows.map(({ subject }) => subject) });
  const last = subjects.at(-1);
  if (last === undefined || subjects.length < ERASED_AT_ONCE) await transaction.query(END, [memoryId, until]);
  else await transaction.query(CONTINUE, [memoryId, until, last]);
  return true;
}
