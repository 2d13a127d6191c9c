/** Writes the record of an entity. */
import type { EntityRecord } from '../../../../contract/entities/entity-record.js';
import type { Database } from '../../threads/database.js';

const WRITE = `INSERT INTO entity_records (id, key, version, revision, body) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET version = excluded.version, revision = excluded.revision, body = excluded.body
  WHERE excluded.version > entity_records.version`;

type EntityUpsert = {
  readonly id: string;
  readonly version: number;
  readonly revision: number;
  readonly entity: EntityRecord;
};

export function upsertEntity(database: Database, { id, version, revision, entity }: EntityUpsert): void {
  database.run(WRITE, [id, `${entity.category}:${entity.slug}`, version, revision, JSON.stringify(entity)]);
}
