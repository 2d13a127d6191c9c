/** Reads records of entities by their keys. */
import { int } from 'neo4j-driver';
import type { EntityKey } from '../../../contract/entities/entity.js';
import type { EntityRecord } from '../../../contract/entities/entity-record.js';
import type { LoadedEntity } from '../../../ports/graph.js';
import type { Neo4j, Row } from '../neo4j.js';

const FIELDS = 'e.body AS body, e.version AS version, e.revision AS revision';
const BY_KEY = `UNWIND $given.keys AS key MATCH (e:EntityRecord {key: key}) RETURN ${FIELDS}`;
const PAGE = `MATCH (e:EntityRecord) WHERE e.key > $given.after RETURN ${FIELDS} ORDER BY e.key LIMIT $given.limit`;

export async function readEntities(
  neo4j: Pick<Neo4j, 'read'>,
  keys: readonly EntityKey[],
): Promise<readonly LoadedEntity[]> {
  if (keys.length === 0) return [];
  const given = { keys: [...new Set(keys.map(keyOf))] };
  const loaded = (await neo4j.read({ text: BY_KEY, given })).map(loadedEntity);
  return loaded.sort((one, other) => (keyOf(one.entity) < keyOf(other.entity) ? -1 : 1));
}

export async function readEntityPage(
  neo4j: Pick<Neo4j, 'read'>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly LoadedEntity[]> {
  return (await neo4j.read({ text: PAGE, given: { after, limit: int(limit) } })).map(loadedEntity);
}

function keyOf({ category, slug }: EntityKey): string {
  return `${category}:${slug}`;
}

/** The cast is safe because `apply` wrote a validated event. */
function loadedEntity({ body, version, revision }: Row): LoadedEntity {
  return { entity: JSON.parse(String(body)) as EntityRecord, version: Number(version), revision: Number(revision) };
}
