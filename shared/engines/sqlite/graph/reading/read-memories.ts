/** Reads memories by id and associations by key. */
import type { AssociationKey } from '../../../../contract/association.js';
import type { MemoryId } from '../../../../contract/memory.js';
import type { LoadedAssociation } from '../../../../ports/graph.js';
import type { SqlRow } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { ASSOCIATION_COLUMNS, loadedAssociation, MEMORY_COLUMNS } from '../schema/rows.js';

const ONE_MEMORY = `SELECT ${MEMORY_COLUMNS} FROM memories AS m JOIN memory_bodies AS b ON b.n = m.n WHERE m.id = ? AND m.present = 1`;
/** A row of version 0 is a placeholder for a memory whose events are still to come. */
const ONE_TOMBSTONE = 'SELECT id, version, revision FROM memories WHERE id = ? AND present = 0 AND version > 0';
const ONE_ASSOCIATION = `SELECT ${ASSOCIATION_COLUMNS} FROM memories AS s JOIN memories AS t
  JOIN associations AS a ON a.source = s.n AND a.target = t.n AND a.type = ?2
  WHERE s.id = ?1 AND t.id = ?3 AND s.present = 1 AND t.present = 1 AND a.derived = 0`;

/**
 * Runs one statement for each id inside the procedure: this keeps the order of `ids`, and a lookup costs 5 µs. The
 * procedure returns raw rows, because text is cheaper to send to another thread than parsed bodies.
 */
export const readMemories = procedure(import.meta.url, 'readMemories', (database, ids: readonly MemoryId[]): SqlRow[] =>
  ids.flatMap((id) => database.all(ONE_MEMORY, [id])),
);

export const readTombstones = procedure(
  import.meta.url,
  'readTombstones',
  (database, ids: readonly MemoryId[]): SqlRow[] => ids.flatMap((id) => database.all(ONE_TOMBSTONE, [id])),
);

export const readAssociations = procedure(
  import.meta.url,
  'readAssociations',
  (database, keys: readonly AssociationKey[]): LoadedAssociation[] =>
    keys
      .flatMap(({ source, type, target }) => database.all(ONE_ASSOCIATION, [source, type, target]))
      .map(loadedAssociation),
);
