/** Replaces the associations that a memory owns, which enrichment or consolidation derived, with a new set. */
import { int } from 'neo4j-driver';
import { OWNED_TYPES, type OwnedAssociation } from '../../../contract/association.js';
import type { Timestamp } from '../../../contract/memory.js';
import type { Statement } from '../neo4j.js';

export type DerivedSet = {
  readonly id: string;
  readonly version: number;
  readonly at: Timestamp;
  readonly set: readonly OwnedAssociation[];
};

/**
 * Expects at most one set for each memory; the memory and all targets are locked. An association that a caller wrote
 * between the same two memories stays unchanged.
 */
export function replaceDerived(derived: readonly DerivedSet[]): Statement {
  return { text: REPLACE_DERIVED, given: { rows: derived.map(rowOf) } };
}

/** Derived associations have version 0, so the first version that a caller writes is newer. */
export const REPLACE_DERIVED = `UNWIND $given.rows AS row
  MATCH (m:Subject {id: row.id}) USING INDEX SEEK m:Subject(id)
  WHERE coalesce(m.derived_version, 0) < row.version AND m.deleted_at IS NULL
  SET m.derived_version = row.version
  WITH m, row
  CALL (m) { MATCH (m)-[old:${OWNED_TYPES.join('|')}]->() WHERE old.derived DELETE old }
  WITH m, row
  UNWIND row.set AS one
  MATCH (t:Subject {id: one.target}) USING INDEX SEEK t:Subject(id) WHERE t.deleted_at IS NULL
  OPTIONAL MATCH (m)-[written:${OWNED_TYPES.join('|')}]->(t) WHERE type(written) = one.type
  WITH m, t, one, written WHERE written IS NULL
  CREATE (m)-[made:$(one.type)]->(t) SET made = one.properties`;

function rowOf({ id, version, at, set }: DerivedSet): Record<string, unknown> {
  return {
    id,
    version: int(version),
    set: set.map(({ target, type, strength, properties }) => ({
      target,
      type,
      properties: {
        properties: JSON.stringify(properties),
        strength,
        created_at: at,
        updated_at: at,
        derived: true,
        version: int(0),
        revision: int(0),
      },
    })),
  };
}
