/** Reads records of entities by their keys. */
import type { EntityKey } from '../../../../contract/entities/entity.js';
import type { EntityRecord } from '../../../../contract/entities/entity-record.js';
import type { LoadedEntity } from '../../../../ports/graph.js';
import type { SqlRow } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';

const COLUMNS = 'body, version, revision';
const BY_KEY = `SELECT ${COLUMNS} FROM entity_records WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key`;
const PAGE = `SELECT ${COLUMNS} FROM entity_records WHERE key > ? ORDER BY key LIMIT ?`;

export const readEntities = procedure(
  import.meta.url,
  'readEntities',
  (database, keys: readonly EntityKey[]): LoadedEntity[] =>
    database.all(BY_KEY, [JSON.stringify(keys.map(({ category, slug }) => `${category}:${slug}`))]).map(loadedEntity),
);

type Page = { readonly after: string; readonly limit: number };

export const readEntityPage = procedure(
  import.meta.url,
  'readEntityPage',
  (database, { after, limit }: Page): LoadedEntity[] => database.all(PAGE, [after, limit]).map(loadedEntity),
);

/** The cast is safe because `apply` wrote a validated event. */
function loadedEntity({ body, version, revision }: SqlRow): LoadedEntity {
  return { entity: JSON.parse(String(body)) as EntityRecord, version: Number(version), revision: Number(revision) };
}
