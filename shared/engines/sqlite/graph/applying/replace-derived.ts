/** Replaces the associations that a memory owns, which enrichment or consolidation derived, with a new set. */
import type { OwnedAssociation } from '../../../../contract/association.js';
import type { Timestamp } from '../../../../contract/memory.js';
import type { Database } from '../../threads/database.js';
import { addToAssociationCount, findOrCreateEnd } from './upsert-association.js';

/**
 * Derived associations have version 0, so the first version that a caller writes is newer. An association that a caller
 * wrote stays unchanged.
 */
const WRITE = `INSERT OR IGNORE INTO associations (source, type, target, version, revision, strength, created_at, updated_at, properties, derived)
  VALUES (?, ?, ?, 0, 0, ?, ?, ?, ?, 1)`;

export function replaceDerived(
  database: Database,
  {
    id,
    version,
    at,
    set,
  }: {
    readonly id: string;
    readonly version: number;
    readonly at: Timestamp;
    readonly set: readonly OwnedAssociation[];
  },
): void {
  const row = database.get('SELECT n, present, derived_version FROM memories WHERE id = ?', [id]);
  if (!row || row['present'] !== 1 || Number(row['derived_version']) >= version) return;
  const source = Number(row['n']);
  database.run('UPDATE memories SET derived_version = ? WHERE n = ?', [version, source]);
  let difference = -database.run('DELETE FROM associations WHERE source = ? AND derived = 1', [source]).changes;
  for (const { target, type, strength, properties } of set) {
    const end = findOrCreateEnd(database, target);
    if (end !== null)
      difference += database.run(WRITE, [source, type, end, strength, at, at, JSON.stringify(properties)]).changes;
  }
  if (difference !== 0) addToAssociationCount(database, difference);
}
