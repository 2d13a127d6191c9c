/**
 * Describes the graph in SQLite. Every read but `mostImportant` is one procedure: one round trip, one snapshot. A
 * listing by words runs in the thread that holds the word index.
 */
import type { Association, AssociationKey } from '../../../contract/association.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { LoadedMemory } from '../../../ports/graph.js';
import type { GraphInspector, ImportanceCursor, ListOrder, Selection } from '../../../ports/graph-inspector.js';
import { procedure, type SqliteHost } from '../threads/host.js';
import { withGraphErrors } from './graph-errors.js';
import { readFacets, readListed } from './inspecting/read-listed.js';
import { readMostImportant } from './inspecting/read-most-important.js';
import { readConfidences, readPreferences, readSpread, readTotals } from './inspecting/read-statistics.js';
import {
  readMemoriesTagged,
  readNewestTagCounts,
  readTagCounts,
  readTagUses,
  readTagUsesOf,
} from './inspecting/read-tag-uses.js';
import { readInParts } from './reading/read-in-parts.js';
import { ASSOCIATION_COLUMNS, loadedAssociation, loadedMemory } from './schema/rows.js';
import { createWordThread, type WordThread } from './searching/words/word-thread.js';

export function createSqliteGraphInspector({
  host,
  words = createWordThread({ host }),
}: {
  readonly host: Pick<SqliteHost, 'read' | 'openReader'>;
  readonly words?: WordThread;
}): GraphInspector {
  const readerFor = ({ filter }: ListOrder): Pick<SqliteHost, 'read'> => (filter.terms.length === 0 ? host : words);
  return {
    mostImportant: async ({ after, limit, ...selection }) => {
      const read = (last: LoadedMemory | null, wanted: number) =>
        host.read(readMostImportant, { ...selection, after: last?.memory ?? after, limit: wanted });
      return (await readInParts(limit, read)).map(({ memory }) => memory);
    },
    listed: async (request) => {
      const { rows, next } = await withGraphErrors(readerFor(request).read(readListed, request));
      return { memories: rows.map((row) => loadedMemory(row).memory), next };
    },
    facets: (request) => withGraphErrors(readerFor(request).read(readFacets, request)),
    associationsWithin: (request) => withGraphErrors(host.read(readAssociationsWithin, request)),
    totals: () => withGraphErrors(host.read(readTotals, null)),
    spread: (request) => withGraphErrors(host.read(readSpread, request)),
    averageConfidences: () => withGraphErrors(host.read(readConfidences, null)),
    strongestPreferences: (limit) => withGraphErrors(host.read(readPreferences, limit)),
    tagCounts: (request) => withGraphErrors(host.read(readTagCounts, request)),
    newestTagCounts: (memories) => withGraphErrors(host.read(readNewestTagCounts, memories)),
    tagUses: (request) => withGraphErrors(host.read(readTagUses, request)),
    tagUsesOf: (tags) => withGraphErrors(host.read(readTagUsesOf, tags)),
    memoriesTagged: async (request) => new Map(await withGraphErrors(host.read(readMemoriesTagged, request))),
  };
}

type Page = Selection & {
  readonly ids: readonly MemoryId[];
  readonly last: ImportanceCursor;
  readonly after: AssociationKey | null;
  readonly limit: number;
};

/** In the order of the primary key. A deleted memory keeps its row, so the end of the page before is always found. */
const OF_ONE = `SELECT ${ASSOCIATION_COLUMNS} FROM memories AS s
  JOIN associations AS a ON a.source = s.n JOIN memories AS t ON t.n = a.target
  WHERE s.id = ?1 AND s.present = 1 AND (a.type, a.target) > (?2, coalesce((SELECT n FROM memories WHERE id = ?3), 0))
    AND t.present = 1 AND t.importance >= ?4 AND t.timestamp >= ?5 AND (?6 IS NULL OR t.type IN (SELECT value FROM json_each(?6)))
    AND (t.importance > ?7 OR (t.importance = ?7 AND (t.timestamp > ?8 OR (t.timestamp = ?8 AND t.id <= ?9))))
  ORDER BY a.type, a.target LIMIT ?10`;

export const readAssociationsWithin = procedure(
  import.meta.url,
  'readAssociationsWithin',
  (database, { ids, after, last, limit, minImportance, types, since }: Page): Association[] => {
    const found: Association[] = [];
    const selection = [minImportance, since ?? '', types && JSON.stringify(types)];
    const end = [last.importance, last.timestamp, last.id];
    for (const id of after === null ? ids : ids.slice(Math.max(0, ids.indexOf(after.source)))) {
      if (found.length >= limit) break;
      const from = after?.source === id ? [after.type, after.target] : ['', ''];
      const rows = database.all(OF_ONE, [id, ...from, ...selection, ...end, limit - found.length]);
      found.push(...rows.map((row) => loadedAssociation(row).association));
    }
    return found;
  },
);
