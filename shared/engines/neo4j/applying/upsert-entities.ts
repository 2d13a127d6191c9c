/** Writes records of entities. They are few, and no association leads to them. */
import { int } from 'neo4j-driver';
import type { EntityRecord } from '../../../contract/entities/entity-record.js';
import type { Statement } from '../neo4j.js';

export type EntityUpsert = {
  readonly id: string;
  readonly version: number;
  readonly revision: number;
  readonly entity: EntityRecord;
};

/** At most one version of each. Setting `locked` takes the lock before the version is read; the order of ids prevents deadlocks. */
export function upsertEntities(upserts: readonly EntityUpsert[]): Statement {
  const sorted = [...upserts].sort((one, other) => (one.id < other.id ? -1 : 1));
  return { text: UPSERT_ENTITIES, given: { rows: sorted.map(rowOf) } };
}

export const UPSERT_ENTITIES = `UNWIND $given.rows AS row
  MERGE (e:EntityRecord {id: row.id}) SET e.locked = true
  WITH e, row WHERE coalesce(e.version, 0) < row.version
  SET e += row.properties`;

function rowOf({ id, version, revision, entity }: EntityUpsert): Record<string, unknown> {
  const key = `${entity.category}:${entity.slug}`;
  const body = JSON.stringify(entity); // a Neo4j property cannot hold a map
  return { id, version: int(version), properties: { key, version: int(version), revision: int(revision), body } };
}
