/** Writes associations: one relationship for each source, type and target. */
import { int } from 'neo4j-driver';
import type { Association } from '../../../contract/association.js';
import type { Statement } from '../neo4j.js';
import { ANY_ASSOCIATION } from '../schema/any-association.js';
import { checksumOf } from '../schema/checksum.js';

export const ASSOCIATION_CHECKSUM_FIELDS = [
  'properties',
  'strength',
  'created_at',
  'updated_at',
  'version',
  'revision',
];

export type AssociationUpsert = Association & { readonly version: number; readonly revision: number };

/**
 * Expects locked ends and at most one version of each association. Skips an association with a deleted end; an end
 * whose memory is still to come has a placeholder.
 */
export function upsertAssociations(associations: readonly AssociationUpsert[]): Statement {
  return { text: UPSERT_ASSOCIATIONS, given: { rows: associations.map(rowOf) } };
}

/**
 * Does not use MERGE with a type from the row: planned on an empty graph, it scans all relationships of the database
 * for every row.
 */
export const UPSERT_ASSOCIATIONS = `UNWIND $given.rows AS row
  MATCH (s:Subject {id: row.source}) USING INDEX SEEK s:Subject(id) WHERE s.deleted_at IS NULL
  MATCH (t:Subject {id: row.target}) USING INDEX SEEK t:Subject(id) WHERE t.deleted_at IS NULL
  OPTIONAL MATCH (s)-[r:${ANY_ASSOCIATION}]->(t) WHERE type(r) = row.type
  WITH s, t, r, row WHERE coalesce(r.version, 0) < row.properties.version
  CALL (s, t, r, row) { WITH s, t, row WHERE r IS NULL CREATE (s)-[made:$(row.type)]->(t) SET made = row.properties }
  CALL (r, row) { WITH r, row WHERE r IS NOT NULL SET r = row.properties }`;

function rowOf({
  source,
  type,
  target,
  properties,
  version,
  revision,
  strength,
  created_at,
  updated_at,
}: AssociationUpsert): Record<string, unknown> {
  const fields = { properties: JSON.stringify(properties), strength, created_at, updated_at };
  const checksum = checksumOf({ ...fields, version, revision }, ASSOCIATION_CHECKSUM_FIELDS);
  return {
    source,
    type,
    target,
    properties: { ...fields, seal: int(checksum), version: int(version), revision: int(revision) },
  };
}
