/** Shows the associations that a memory owns since it was enriched: the new set takes the place of the one before. */
import { int } from 'neo4j-driver';
import { DERIVED_TYPES, type DerivedAssociation } from '../../contract/association.js';
import type { Timestamp } from '../../contract/memory.js';
import type { Statement } from './neo4j.js';

export type Derived = {
  readonly id: string;
  readonly version: number;
  readonly at: Timestamp;
  readonly set: readonly DerivedAssociation[];
};

/** At most one set of each memory; the memory and all targets are locked. What a caller wrote between the same two stays as it is. */
export function derive(derived: readonly Derived[]): Statement {
  return { text: DERIVE, given: { rows: derived.map(rowOf) } };
}

/** Version 0: the first that a caller writes is newer. */
export const DERIVE = `UNWIND $given.rows AS row
  MATCH (m:Subject {id: row.id}) USING INDEX SEEK m:Subject(id)
  WHERE coalesce(m.derived_version, 0) < row.version AND m.deleted_at IS NULL
  SET m.derived_version = row.version
  WITH m, row
  CALL (m) { MATCH (m)-[old:${DERIVED_TYPES.join('|')}]->() WHERE old.derived DELETE old }
  WITH m, row
  UNWIND row.set AS one
  MATCH (t:Subject {id: one.target}) USING INDEX SEEK t:Subject(id) WHERE t.deleted_at IS NULL
  OPTIONAL MATCH (m)-[written:${DERIVED_TYPES.join('|')}]->(t) WHERE type(written) = one.type
  WITH m, t, one, written WHERE written IS NULL
  CREATE (m)-[made:$(one.type)]->(t) SET made = one.properties`;

function rowOf({ id, version, at, set }: Derived): Record<string, unknown> {
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
