/**
 * Erases the data of a deleted memory and of its associations: up to ERASED_AT_ONCE with the deletion, the rest later
 * in batches.
 */
import type { MemoryId } from '../../../contract/memory.js';
import { ERASED_AT_ONCE } from '../../sql/erased-at-once.js';
import { eraseEvents } from '../journal/event-rows.js';
import { releaseMemory } from '../records/sqlite-embedding-cache.js';
import type { Database } from '../threads/database.js';
import { procedure } from '../threads/host.js';

const PAGE = `SELECT subject FROM association_ends WHERE memory_id = ? AND subject > ? ORDER BY subject LIMIT ${ERASED_AT_ONCE}`;
/** Every event of the associations has a lower position than the deletion, which is not appended yet. */
const LEAVE_REST =
  "INSERT INTO erasures (memory_id, until, after) VALUES (?, (SELECT coalesce(max(position), 0) FROM journal), '')";

/** Also releases its cached embeddings. Call it before the deletion event is appended. */
export function eraseMemory(database: Database, memoryId: MemoryId): void {
  eraseEvents(database, memoryId);
  const subjects = pageOf(database, memoryId, '');
  for (const subject of subjects) eraseAssociation(database, subject);
  if (subjects.length === ERASED_AT_ONCE) database.run(LEAVE_REST, [memoryId]);
  releaseMemory(database, memoryId);
}

/** Erases one batch of what a deletion left. Returns false when nothing is left. */
export const eraseRest = procedure(import.meta.url, 'eraseRest', (database, _args: null): boolean => {
  const erasure = database.get('SELECT memory_id, until, after FROM erasures LIMIT 1');
  if (!erasure) return false;
  const [memoryId, until] = [String(erasure['memory_id']), Number(erasure['until'])];
  const subjects = pageOf(database, memoryId, String(erasure['after']));
  for (const subject of subjects) if (isFormer(database, subject, until)) eraseAssociation(database, subject);
  const last = subjects.at(-1);
  if (last === undefined || subjects.length < ERASED_AT_ONCE)
    database.run('DELETE FROM erasures WHERE memory_id = ? AND until = ?', [memoryId, until]);
  else database.run('UPDATE erasures SET after = ? WHERE memory_id = ? AND until = ?', [last, memoryId, until]);
  return true;
});

function pageOf(database: Database, memoryId: string, after: string): readonly string[] {
  return database.all(PAGE, [memoryId, after]).map((row) => String(row['subject']));
}

/** An association with a later event belongs to a memory that has returned. */
function isFormer(database: Database, subject: string, until: number): boolean {
  return !database.get('SELECT 1 FROM journal WHERE subject = ? AND position > ? LIMIT 1', [subject, until]);
}

function eraseAssociation(database: Database, subject: string): void {
  const [source, , target] = subject.split('|') as [string, string, string];
  eraseEvents(database, subject);
  database.run('UPDATE subjects SET present = 0 WHERE subject = ?', [subject]);
  database.run('DELETE FROM association_ends WHERE memory_id IN (?, ?) AND subject = ?', [source, target, subject]);
}
