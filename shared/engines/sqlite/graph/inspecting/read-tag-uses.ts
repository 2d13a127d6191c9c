/** Reads how often whole tags are used, from the index that has each tag in the order of by-tag replies. */
import type { MemoryId } from '../../../../contract/memory.js';
import type { TagCount, TagUse } from '../../../../ports/graph-inspector.js';
import { wholeTagKey } from '../../../../text/tags.js';
import type { Database, SqlRow } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';

/** Without the times, which would have to be read from each entry. */
const PREFIX = `SELECT key AS tag, count(*) AS uses FROM tag_order WHERE key >= ?1 AND key < ?2 GROUP BY key ORDER BY uses DESC, key LIMIT ?3`;
const OF_TAGS = `SELECT key AS tag, count(*) AS uses, min(timestamp) AS first_at, max(timestamp) AS last_at FROM tag_order WHERE key IN (SELECT value FROM json_each(?1)) GROUP BY key ORDER BY uses DESC, key`;
const MEMORIES = 'SELECT id FROM tag_order WHERE key = ? ORDER BY importance DESC, timestamp DESC, id LIMIT ?';
const OF_NEWEST = `SELECT t.key AS tag, count(*) AS uses FROM (
    SELECT n FROM memories INDEXED BY memories_by_timestamp WHERE present = 1 ORDER BY timestamp DESC LIMIT ?
  ) AS newest JOIN memory_tags AS t ON t.n = newest.n AND t.kind = 0 GROUP BY t.key ORDER BY uses DESC, t.key`;
/** After every character. */
const LAST = '\u{10FFFF}';

type Prefixes = { readonly prefixes: readonly string[]; readonly limit: number };

export const readTagCounts = procedure(import.meta.url, 'readTagCounts', (database, wanted: Prefixes): TagCount[] =>
  countsOf(database, wanted),
);

/** The times of the most used tags alone are read. */
export const readTagUses = procedure(import.meta.url, 'readTagUses', (database, wanted: Prefixes): TagUse[] =>
  usesOf(
    database,
    countsOf(database, wanted).map(({ tag }) => tag),
  ),
);

export const readNewestTagCounts = procedure(
  import.meta.url,
  'readNewestTagCounts',
  (database, memories: number): TagCount[] => database.all(OF_NEWEST, [memories]).map(tagCount),
);

export const readTagUsesOf = procedure(
  import.meta.url,
  'readTagUsesOf',
  (database, tags: readonly string[]): TagUse[] => usesOf(database, tags.map(wholeTagKey)),
);

type Tagged = { readonly tags: readonly string[]; readonly limit: number };

export const readMemoriesTagged = procedure(
  import.meta.url,
  'readMemoriesTagged',
  (database, { tags, limit }: Tagged): (readonly [string, MemoryId[]])[] =>
    [...new Set(tags.map(wholeTagKey))].map(
      (tag) => [tag, database.all(MEMORIES, [tag, limit]).map(({ id }) => id as MemoryId)] as const,
    ),
);

function countsOf(database: Database, { prefixes, limit }: Prefixes): TagCount[] {
  return prefixes
    .map(wholeTagKey)
    .flatMap((prefix) => database.all(PREFIX, [prefix, prefix + LAST, limit]))
    .map(tagCount)
    .sort((one, other) => other.uses - one.uses || (one.tag < other.tag ? -1 : 1))
    .slice(0, limit);
}

function usesOf(database: Database, keys: readonly string[]): TagUse[] {
  return database.all(OF_TAGS, [JSON.stringify(keys)]).map(tagUse);
}

function tagCount(row: SqlRow): TagCount {
  return { tag: String(row['tag']), uses: Number(row['uses']) };
}

function tagUse(row: SqlRow): TagUse {
  return {
    ...tagCount(row),
    firstAt: String(row['first_at']),
    lastAt: String(row['last_at']),
  };
}
