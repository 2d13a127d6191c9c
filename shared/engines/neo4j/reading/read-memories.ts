/** Reads memories by id and associations by key. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Association, AssociationKey } from '../../../contract/association.js';
import type { MemoryId } from '../../../contract/memory.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { LoadedAssociation, LoadedMemory, Tombstone } from '../../../ports/graph.js';
import { ASSOCIATION_CHECKSUM_FIELDS } from '../applying/upsert-associations.js';
import type { Neo4j, Row, Statement } from '../neo4j.js';
import { ANY_ASSOCIATION } from '../schema/any-association.js';
import { matchesChecksum } from '../schema/checksum.js';
import { isMemoryComplete, loadedMemory, matchesMemoryChecksum, MEMORY_FIELDS } from '../schema/memory-node.js';

/** Each statement names its index seek: with outdated counts the planner has scanned all subjects for one id. */
export const MEMORIES = `UNWIND $given.ids AS id
  MATCH (m:Subject {id: id}) USING INDEX SEEK m:Subject(id) WHERE m:Memory
  RETURN ${MEMORY_FIELDS} AS memory`;

/** Each memory in one version, as decisions need it. */
export async function readMemoryStates(
  neo4j: Pick<Neo4j, 'read'>,
  ids: readonly MemoryId[],
): Promise<readonly LoadedMemory[]> {
  const states = await readUntorn(ids, {
    read: (some) => readRows(neo4j, some),
    keyOf: (fields) => fields['id'] as MemoryId,
    isWhole: matchesMemoryChecksum,
    lacksChecksum: ({ seal }) => seal === null,
  });
  return inOrder(ids, states);
}

async function readRows(neo4j: Pick<Neo4j, 'read'>, ids: readonly MemoryId[]): Promise<readonly Row[]> {
  if (ids.length === 0) return [];
  const rows = await neo4j.read({ text: MEMORIES, given: { ids: [...new Set(ids)] } });
  return rows.map((row) => row['memory'] as Row);
}

function inOrder(ids: readonly MemoryId[], rows: readonly Row[]): readonly LoadedMemory[] {
  const found = new Map(rows.map(loadedMemory).map((loaded) => [loaded.memory.id, loaded]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export const TOMBSTONES = `UNWIND $given.ids AS id
  MATCH (m:Subject {id: id}) USING INDEX SEEK m:Subject(id) WHERE m.deleted_at IS NOT NULL
  RETURN id, m.version AS version, m.revision AS revision`;

export async function readTombstones(
  neo4j: Pick<Neo4j, 'read'>,
  ids: readonly MemoryId[],
): Promise<ReadonlyMap<MemoryId, Tombstone>> {
  if (ids.length === 0) return new Map();
  const rows = await neo4j.read({ text: TOMBSTONES, given: { ids: [...new Set(ids)] } });
  return new Map(
    rows.map(({ id, version, revision }) => [
      id as MemoryId, // as given
      { version: Number(version), revision: Number(revision) },
    ]),
  );
}

export const ASSOCIATIONS = `UNWIND $given.keys AS key
  MATCH (s:Subject {id: key.source}) USING INDEX SEEK s:Subject(id) WHERE s:Memory
  MATCH (t:Subject {id: key.target}) USING INDEX SEEK t:Subject(id) WHERE t:Memory
  MATCH (s)-[r:${ANY_ASSOCIATION}]->(t) WHERE type(r) = key.type AND r.derived IS NULL
  RETURN key, properties(r) AS association`;

export async function readAssociations(
  neo4j: Pick<Neo4j, 'read'>,
  keys: readonly AssociationKey[],
): Promise<readonly LoadedAssociation[]> {
  const rows = await readUntorn(
    keys.map(({ source, type, target }) => ({ source, type, target })),
    {
      read: async (wanted) => (wanted.length === 0 ? [] : neo4j.read({ text: ASSOCIATIONS, given: { keys: wanted } })),
      keyOf: (row) => row['key'] as AssociationKey,
      isWhole: (row) => matchesChecksum(row['association'] as Row, ASSOCIATION_CHECKSUM_FIELDS),
      lacksChecksum: (row) => (row['association'] as Row)['seal'] === undefined,
    },
  );
  return rows.map(loadedAssociation);
}

/** The cast is safe because `apply` wrote a validated event. */
function loadedAssociation(row: Row): LoadedAssociation {
  const { version, revision, seal: _seal, properties, ...fields } = row['association'] as Row;
  const association = {
    ...(row['key'] as AssociationKey),
    ...fields,
    properties: JSON.parse(String(properties)),
  } as Association;
  return { association, version: Number(version), revision: Number(revision) };
}

/**
 * Reads rows in which a memory may have any version. Reads all of them again while one is not complete: Neo4j reads
 * property by property, so a memory or association that is deleted meanwhile may come without its fields. Throws
 * DependencyError('graph') when that happens in every read.
 */
export async function readCompleteRows(
  neo4j: Pick<Neo4j, 'read'>,
  statement: Statement,
  isComplete: (row: Row) => boolean = (row) => isMemoryComplete(row['memory'] as Row),
): Promise<readonly Row[]> {
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const rows = await neo4j.read(statement);
    if (rows.every(isComplete)) return rows;
    await pause(PAUSE_MS * 2 ** reads);
  }
  throw new DependencyError('graph', `The graph changed a memory during each of ${MAX_READS} reads: try again`);
}

/** One read in 500 is torn next to a writer of the same subject. While Neo4j is busy it stays torn for some ms. */
const MAX_READS = 8;
/** The first pause; each further one is twice as long, half a second in all. */
const PAUSE_MS = 2;

/**
 * Reads subjects until each of them was read in one version. Reads rows again that are not whole. A subject of an
 * earlier release has no checksum: it counts as whole when two reads in a row are equal. Throws
 * DependencyError('graph') when a subject changes in every read.
 */
export async function readUntorn<K>(
  keys: readonly K[],
  {
    read,
    keyOf,
    isWhole,
    lacksChecksum,
  }: {
    readonly read: (keys: readonly K[]) => Promise<readonly Row[]>;
    readonly keyOf: (row: Row) => K;
    readonly isWhole: (row: Row) => boolean;
    readonly lacksChecksum: (row: Row) => boolean;
  },
): Promise<readonly Row[]> {
  const whole: Row[] = [];
  let doubtful: readonly Row[] = [];
  let asked = keys;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const rows = await read(asked);
    const former = doubtful;
    const isRepeated = (row: Row): boolean => former.some((earlier) => isDeepStrictEqual(earlier, row));
    const isConfirmed = (row: Row): boolean => isWhole(row) || (lacksChecksum(row) && isRepeated(row));
    whole.push(...rows.filter(isConfirmed));
    doubtful = rows.filter((row) => !isConfirmed(row));
    if (doubtful.length === 0) return whole;
    asked = doubtful.map(keyOf);
    await pause(PAUSE_MS * 2 ** reads);
  }
  throw new DependencyError('graph', `The graph changed ${asked.length} subjects during each of ${MAX_READS} reads`);
}
