/** Writes one association and keeps the count of all associations. */
import type { Association } from '../../../../contract/association.js';
import type { Database } from '../../threads/database.js';

/** Not INSERT OR REPLACE: the trigger that counts removed associations would not see the replaced row. */
const WRITE = `INSERT INTO associations (source, type, target, version, revision, strength, created_at, updated_at, properties)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (source, type, target) DO UPDATE SET version = excluded.version, revision = excluded.revision, strength = excluded.strength,
    created_at = excluded.created_at, updated_at = excluded.updated_at, properties = excluded.properties, derived = 0`;

export function upsertAssociation(
  database: Database,
  given: Association & { readonly version: number; readonly revision: number },
): void {
  const source = findOrCreateEnd(database, given.source);
  const target = findOrCreateEnd(database, given.target);
  if (source === null || target === null) return;
  const row = database.get('SELECT version FROM associations WHERE source = ? AND type = ? AND target = ?', [
    source,
    given.type,
    target,
  ]);
  if (row && Number(row['version']) >= given.version) return;
  const { version, revision, strength, created_at: createdAt, updated_at: updatedAt } = given;
  database.run(WRITE, [
    source,
    given.type,
    target,
    version,
    revision,
    strength,
    createdAt,
    updatedAt,
    JSON.stringify(given.properties),
  ]);
  if (!row) addToAssociationCount(database, 1);
}

/**
 * The row number of a memory, null after its deletion. A memory whose events are still to come gets a placeholder row
 * of version 0.
 */
export function findOrCreateEnd(database: Database, id: string): number | null {
  const row = database.get('SELECT n, version, present FROM memories WHERE id = ?', [id]);
  if (!row)
    return database.run('INSERT INTO memories (id, version, revision, present) VALUES (?, 0, 0, 0)', [id])
      .lastInsertRowid;
  return row['present'] === 1 || row['version'] === 0 ? Number(row['n']) : null;
}

export function addToAssociationCount(database: Database, by: number): void {
  database.run('UPDATE association_counts SET associations = associations + ? WHERE only_row = 1', [by]);
}
