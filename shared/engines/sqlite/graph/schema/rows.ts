/**
 * Converts rows of the graph's tables to the types of the port. The casts are safe because `apply` wrote the rows from
 * validated events.
 */
import type { Association } from '../../../../contract/association.js';
import type { Memory, MemoryId } from '../../../../contract/memory.js';
import type { LoadedAssociation, LoadedMemory, Tombstone } from '../../../../ports/graph.js';
import type { SqlRow } from '../../threads/database.js';

/** Columns of `memories AS m` and `memory_bodies AS b`. */
export const MEMORY_COLUMNS = 'b.body, m.last_accessed, m.vector_ref, m.version, m.revision, m.position';
/** Columns of `associations AS a` with its source memory `s` and its target memory `t`. */
export const ASSOCIATION_COLUMNS =
  's.id AS source_id, t.id AS target_id, a.type, a.version, a.revision, a.strength, a.created_at, a.updated_at, a.properties';

export function loadedMemory(row: SqlRow): LoadedMemory {
  const memory = {
    ...(JSON.parse(String(row['body'])) as Omit<Memory, 'last_accessed'>),
    last_accessed: String(row['last_accessed']),
  };
  return {
    memory,
    vectorRef: row['vector_ref'] as string | null,
    version: Number(row['version']),
    revision: Number(row['revision']),
    position: Number(row['position'] ?? 0),
  };
}

export function tombstoneEntry(row: SqlRow): readonly [MemoryId, Tombstone] {
  return [row['id'] as MemoryId, { version: Number(row['version']), revision: Number(row['revision']) }];
}

export function loadedAssociation(row: SqlRow): LoadedAssociation {
  const association = {
    source: row['source_id'],
    target: row['target_id'],
    type: row['type'],
    strength: row['strength'],
    properties: propertiesOf(row),
    created_at: row['created_at'],
    updated_at: row['updated_at'],
  } as Association;
  return { association, version: Number(row['version']), revision: Number(row['revision']) };
}

export function propertiesOf(row: SqlRow): Record<string, unknown> {
  return JSON.parse(String(row['properties'])) as Record<string, unknown>;
}
