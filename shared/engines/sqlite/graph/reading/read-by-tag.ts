/** Reads a page of memories, or of ids, with any of the given whole tags. */
import type { MemoryId } from '../../../../contract/memory.js';
import type { GraphReader } from '../../../../ports/graph.js';
import { wholeTagKey } from '../../../../text/tags.js';
import type { SqlRow } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { MEMORY_COLUMNS } from '../schema/rows.js';
import { isRowWithin } from '../schema/tag-keys.js';

type Page = Parameters<GraphReader['byTag']>[0];
type IdPage = Parameters<GraphReader['idsByTag']>[0];

/**
 * The rows of one key are in the order of the table. Rows of several keys are merged, and a memory with two of the keys
 * comes once.
 */
const ORDERED = 'ORDER BY importance DESC, timestamp DESC, id LIMIT ?2 OFFSET ?3';
const OF_ONE_KEY = `SELECT n, importance, timestamp, id FROM tag_order AS t WHERE key = ?1
  AND ${isRowWithin('t.n', '?4')} ${ORDERED}`;
const OF_KEYS = `SELECT DISTINCT n, importance, timestamp, id FROM tag_order AS t
  WHERE key IN (SELECT value FROM json_each(?1)) AND ${isRowWithin('t.n', '?4')} ${ORDERED}`;
const hydrated = (page: string): string => `SELECT ${MEMORY_COLUMNS} FROM (${page}) AS page
  JOIN memories AS m ON m.n = page.n JOIN memory_bodies AS b ON b.n = page.n
  ORDER BY page.importance DESC, page.timestamp DESC, page.id`;
const PAGE_OF_ONE_KEY = hydrated(OF_ONE_KEY);
const PAGE_OF_KEYS = hydrated(OF_KEYS);

const IDS = `SELECT DISTINCT id FROM tag_order AS t
  WHERE key IN (SELECT value FROM json_each(?1)) AND id > ?2 AND ${isRowWithin('t.n', '?4')} ORDER BY id LIMIT ?3`;

export const readByTag = procedure(
  import.meta.url,
  'readByTag',
  (database, { tags, within = null, offset, limit }: Page): { rows: SqlRow[]; hasMore: boolean } => {
    const keys = keysOf(tags);
    const [only] = keys;
    const oneMore = limit + 1;
    const rows =
      keys.length === 1 && only !== undefined
        ? database.all(PAGE_OF_ONE_KEY, [only, oneMore, offset, within])
        : database.all(PAGE_OF_KEYS, [JSON.stringify(keys), oneMore, offset, within]);
    return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
  },
);

export const readIdsByTag = procedure(
  import.meta.url,
  'readIdsByTag',
  (database, { tags, within = null, after, limit }: IdPage): MemoryId[] =>
    database.all(IDS, [JSON.stringify(keysOf(tags)), after, limit, within]).map((row) => row['id'] as MemoryId),
);

function keysOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map(wholeTagKey))];
}
