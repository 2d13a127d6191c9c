/** Walks over the graph in SQLite. */
import type { AssociationKey, AssociationType } from '../../../contract/association.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { LoadedAssociation } from '../../../ports/graph.js';
import type { GraphScan, NewestCursor } from '../../../ports/graph-scan.js';
import type { SqlRow } from '../threads/database.js';
import { procedure, type SqliteHost } from '../threads/host.js';
import { withGraphErrors } from './graph-errors.js';
import { readInParts } from './reading/read-in-parts.js';
import { ASSOCIATION_COLUMNS, loadedAssociation, MEMORY_COLUMNS } from './schema/rows.js';

const MEMORIES = `SELECT ${MEMORY_COLUMNS} FROM memories AS m JOIN memory_bodies AS b ON b.n = m.n
  WHERE m.id > ? AND m.present = 1 ORDER BY m.id LIMIT ?`;
/** The index begins with the timestamp; memories of the same time are sorted by id. */
const NEWEST = `SELECT ${MEMORY_COLUMNS} FROM memories AS m INDEXED BY memories_by_timestamp JOIN memory_bodies AS b ON b.n = m.n
  WHERE m.timestamp <= ?1 AND (m.timestamp < ?1 OR m.id > ?2) AND m.present = 1 ORDER BY m.timestamp DESC, m.id LIMIT ?3`;
/** In the order of the primary key. A deleted memory keeps its row, so the key of a page before is always found. */
const ASSOCIATIONS = `SELECT ${ASSOCIATION_COLUMNS} FROM associations AS a
  JOIN memories AS s ON s.n = a.source JOIN memories AS t ON t.n = a.target
  WHERE (a.source, a.type, a.target) > (
      coalesce((SELECT n FROM memories WHERE id = ?1), 0), ?2, coalesce((SELECT n FROM memories WHERE id = ?3), 0)
    ) AND a.derived = 0 AND s.present = 1 AND t.present = 1
  ORDER BY a.source, a.type, a.target LIMIT ?4`;

/** Each end is counted in its own index. */
const DEGREES = `SELECT m.id,
    (SELECT count(*) FROM associations AS a WHERE a.source = m.n AND a.type IN (SELECT value FROM json_each(?2)))
    + (SELECT count(*) FROM associations AS a INDEXED BY associations_to
        WHERE a.target = m.n AND a.type IN (SELECT value FROM json_each(?2))) AS degree
  FROM json_each(?1) AS one JOIN memories AS m ON m.id = one.value`;

export function createSqliteGraphScan({ host }: { readonly host: Pick<SqliteHost, 'read'> }): GraphScan {
  return {
    memories: ({ after, limit }) =>
      readInParts(limit, (last, wanted) => host.read(scanMemories, { after: last?.memory.id ?? after, limit: wanted })),
    newest: ({ before, limit }) =>
      readInParts(limit, (last, wanted) => host.read(scanNewest, { before: last?.memory ?? before, limit: wanted })),
    associations: (request) => withGraphErrors(host.read(scanAssociations, request)),
    degrees: async (request) => new Map(await withGraphErrors(host.read(countDegrees, request))),
  };
}

export const scanMemories = procedure(
  import.meta.url,
  'scanMemories',
  (database, { after, limit }: { readonly after: string; readonly limit: number }): SqlRow[] =>
    database.all(MEMORIES, [after, limit]),
);

/** After every timestamp. */
const END_OF_TIME = '~';

export const scanNewest = procedure(
  import.meta.url,
  'scanNewest',
  (database, { before, limit }: { readonly before: NewestCursor | null; readonly limit: number }): SqlRow[] =>
    database.all(NEWEST, [before?.timestamp ?? END_OF_TIME, before?.id ?? '', limit]),
);

export const scanAssociations = procedure(
  import.meta.url,
  'scanAssociations',
  (
    database,
    { after, limit }: { readonly after: AssociationKey | null; readonly limit: number },
  ): LoadedAssociation[] =>
    database
      .all(ASSOCIATIONS, [after?.source ?? '', after?.type ?? '', after?.target ?? '', limit])
      .map(loadedAssociation),
);

type Degrees = { readonly ids: readonly MemoryId[]; readonly types: readonly AssociationType[] };

export const countDegrees = procedure(
  import.meta.url,
  'countDegrees',
  (database, { ids, types }: Degrees): (readonly [MemoryId, number])[] =>
    database
      .all(DEGREES, [JSON.stringify(ids), JSON.stringify(types)])
      .filter(({ degree }) => Number(degree) > 0)
      .map(({ id, degree }) => [id as MemoryId, Number(degree)] as const),
);
