/** Shows associations: one relationship for each source, type and target. */
import { int } from 'neo4j-driver';
import type { Association } from '../../contract/association.js';
import { ANY_ASSOCIATION } from './any-association.js';
import type { Statement } from './neo4j.js';

export type ShownAssociation = Association & { readonly version: number; readonly revision: number };

/** At most one version of each association; both ends locked. Nothing comes of one whose end was deleted; an end that is to come has its place. */
export function associate(associations: readonly ShownAssociation[]): Statement {
  return { text: ASSOCIATE, given: { rows: associations.map(rowOf) } };
}

/** Not MERGE with a type from the row: planned on an empty graph, it scans all relationships of the database for every row. */
export const ASSOCIATE = `UNWIND $given.rows AS row
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
}: ShownAssociation): Record<string, unknown> {
  const said = { properties: JSON.stringify(properties), strength, created_at, updated_at };
  return { source, type, target, properties: { ...said, version: int(version), revision: int(revision) } };
}
