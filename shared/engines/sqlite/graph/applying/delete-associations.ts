/** Deletes the associations of a deleted memory: few of them with it, those of a hub later in batches. */
import { HUB_BATCH, HUB_SIZE } from '../../../../ports/graph.js';
import type { Database } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { addToAssociationCount } from './upsert-association.js';

const COUNT_UP_TO = `SELECT count(*) AS associations FROM (
    SELECT 1 FROM (SELECT 1 FROM associations WHERE source = ?1 LIMIT ?2)
    UNION ALL SELECT 1 FROM (SELECT 1 FROM associations WHERE target = ?1 LIMIT ?2)
  )`;
/**
 * The highest row number is never free again, because no row of `memories` is ever removed. So no memory gets the
 * number of a deleted hub.
 */
const MOVE = 'UPDATE memories SET n = (SELECT max(n) + 1 FROM memories) WHERE n = ?';

/**
 * The row of a hub gets another number, so that its associations belong to no memory: reads no longer find them, and
 * the same memory can return without them.
 */
export function deleteAssociations(database: Database, n: number): void {
  if (Number(database.get(COUNT_UP_TO, [n, HUB_SIZE + 1])?.['associations']) <= HUB_SIZE) {
    removeBatch(database, n);
    return;
  }
  database.run(MOVE, [n]);
  database.run('INSERT INTO deleted_hubs (n) VALUES (?)', [n]);
}

/** Returns false when there is no deleted hub. */
export const clearDeletedHub = procedure(import.meta.url, 'clearDeletedHub', (database, _args: null): boolean => {
  const hub = database.get('SELECT n FROM deleted_hubs LIMIT 1');
  if (!hub) return false;
  const n = Number(hub['n']);
  if (removeBatch(database, n) < HUB_BATCH) database.run('DELETE FROM deleted_hubs WHERE n = ?', [n]);
  return true;
});

/** Returns how many it removed, at most HUB_BATCH. */
function removeBatch(database: Database, n: number): number {
  const outgoing = database.run(removeFrom('source'), [n, HUB_BATCH]).changes;
  const incoming = database.run(removeFrom('target'), [n, HUB_BATCH - outgoing]).changes;
  if (outgoing + incoming > 0) addToAssociationCount(database, -(outgoing + incoming));
  return outgoing + incoming;
}

function removeFrom(end: 'source' | 'target'): string {
  return `DELETE FROM associations WHERE (source, type, target) IN (SELECT source, type, target FROM associations WHERE ${end} = ?1 LIMIT ?2)`;
}
