/**
 * Reads the graph from Neo4j. Each read takes one round trip; `trending` and `topByTag` take two when their filter or
 * tag admits many memories.
 */
import { int } from 'neo4j-driver';
import type { EntityKey, EntityRecord } from '../../contract/entities/entity.js';
import { NO_CONDITIONS } from '../../contract/filter.js';
import type { MemoryId } from '../../contract/memory.js';
import type { GraphReader, LoadedEntity } from '../../ports/graph.js';
import type { Neo4j, Row } from './neo4j.js';
import { readByTag, readIdsByTag } from './reading/read-by-tag.js';
import { createLineageReader } from './reading/read-lineages.js';
import { readAssociations, readMemoryStates, readTombstones } from './reading/read-memories.js';
import { readAmong, readRelations, readSteps } from './reading/read-relations.js';
import { readSuccessions } from './reading/read-successions.js';
import { ANY_ASSOCIATION } from './schema/any-association.js';
import { knownTypes, UNENRICHED } from './schema/labels.js';
import { filterParameters, isAdmitted } from './searching/filter-conditions.js';
import { readTopByTag } from './searching/read-top-by-tag.js';
import { readTrending } from './searching/read-trending.js';
import { searchAll } from './searching/search-all.js';
import { searchKeyword } from './searching/search-keyword.js';
import { searchMetadata } from './searching/search-metadata.js';

type Reads = Pick<Neo4j, 'read' | 'readAll'>;

/** `searchTimeoutMs`: the server ends a search after this time, because its caller does not wait longer. */
export function createNeo4jGraphReader({
  neo4j,
  searchTimeoutMs = Infinity,
}: {
  readonly neo4j: Reads;
  readonly searchTimeoutMs?: number;
}): GraphReader {
  const limits = { timeoutMs: searchTimeoutMs };
  const searching: Reads = {
    read: (statement) => neo4j.read(statement, limits),
    readAll: (statements) => neo4j.readAll(statements, limits),
  };
  return {
    ping: async () => void (await neo4j.read({ text: 'RETURN 1', given: {} })),
    memories: (ids) => readMemoryStates(neo4j, ids),
    tombstones: (ids) => readTombstones(neo4j, ids),
    associations: (keys) => readAssociations(neo4j, keys),
    entities: (keys) => readEntities(neo4j, keys),
    entityPage: (request) => readEntityPage(neo4j, request),
    relations: (request) => readRelations(neo4j, request),
    steps: (request) => readSteps(neo4j, request),
    among: (request) => readAmong(neo4j, request),
    successions: (ids, hops) => readSuccessions(neo4j, ids, hops),
    lineages: createLineageReader({ neo4j }),
    byTag: (request) => readByTag(neo4j, request),
    idsByTag: (request) => readIdsByTag(neo4j, request),
    keyword: (search) => searchKeyword(searching, search),
    metadata: (search) => searchMetadata(searching, search),
    search: (searches) => searchAll(searching, searches),
    trending: (request) => readTrending(searching, request),
    newestWithin: (request) => readNewestWithin(searching, request),
    topByTag: (request) => readTopByTag(searching, request),
    counts: (request) => readCounts(neo4j, request),
  };
}

type Counts = { readonly memories: number; readonly associations: number; readonly unenriched: number };

/**
 * Reads the numbers of memories and associations from the counts that the server keeps of labels and relationship
 * types.
 */
async function readCounts(
  neo4j: Pick<Neo4j, 'read'>,
  { excludedTypes }: { readonly excludedTypes: readonly string[] },
): Promise<Counts> {
  const [row] = await neo4j.read({ text: countsText(excludedTypes), given: {} });
  return {
    memories: Number(row?.['memories']),
    associations: Number(row?.['associations']),
    unenriched: Number(row?.['unenriched']),
  };
}

/** The text contains the excluded types. Callers always exclude the same types, so there are few texts. */
function countsText(excludedTypes: readonly string[]): string {
  const types = knownTypes(excludedTypes);
  const without = (label: (type: string) => string): string =>
    types.map((type) => ` - COUNT { (:${label(type)}) }`).join('');
  return `RETURN COUNT { (:Memory) }${without((type) => type)} AS memories,
    COUNT { (:${UNENRICHED}) }${without((type) => UNENRICHED + type)} AS unenriched,
    COUNT { (:Subject)-[:${ANY_ASSOCIATION}]->() } AS associations`;
}

/** The property is projected before ORDER BY, and the index is named, for the reasons in read-trending.ts. */
const NEWEST_WITHIN = `UNWIND range(0, size($given.windows) - 1) AS number
  WITH number, $given.windows[number] AS window
  CALL (window) {
    MATCH (m:Memory) USING INDEX m:Memory(timestamp) WHERE ${isAdmitted({ window: 'window' })}
    WITH m, m.timestamp AS key ORDER BY key DESC, m.rank LIMIT toInteger($given.limit)
    RETURN collect(m.id) AS ids
  }
  RETURN number, ids`;

/**
 * Reads the newest memories of many windows in one statement. Each window is an index scan that ends with its limit.
 */
async function readNewestWithin(
  neo4j: Pick<Neo4j, 'read'>,
  { windows, filter, limit }: Parameters<GraphReader['newestWithin']>[0],
): Promise<readonly (readonly MemoryId[])[]> {
  if (windows.length === 0) return [];
  const whole = { ...filter, ...NO_CONDITIONS };
  const rows = await neo4j.read({ text: NEWEST_WITHIN, given: { ...filterParameters(whole), windows, limit } });
  const found = new Map(rows.map((row) => [Number(row['number']), row['ids'] as MemoryId[]]));
  return windows.map((_, number) => found.get(number) ?? []);
}

const FIELDS = 'e.body AS body, e.version AS version, e.revision AS revision';
const BY_KEY = `UNWIND $given.keys AS key MATCH (e:EntityRecord {key: key}) RETURN ${FIELDS}`;
const PAGE = `MATCH (e:EntityRecord) WHERE e.key > $given.after RETURN ${FIELDS} ORDER BY e.key LIMIT $given.limit`;

/** Reads records of entities by their keys. */
async function readEntities(neo4j: Pick<Neo4j, 'read'>, keys: readonly EntityKey[]): Promise<readonly LoadedEntity[]> {
  if (keys.length === 0) return [];
  const given = { keys: [...new Set(keys.map(keyOf))] };
  const loaded = (await neo4j.read({ text: BY_KEY, given })).map(loadedEntity);
  return loaded.sort((one, other) => (keyOf(one.entity) < keyOf(other.entity) ? -1 : 1));
}

async function readEntityPage(
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
