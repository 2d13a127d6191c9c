/** Reads the most important memories of each of a few tags under a filter. */
import { type MemoryFilter, type TagFilter, tagFiltersOf } from '../../../../contract/filter.js';
import type { MemoryId } from '../../../../contract/memory.js';
import type { Database, SqlValue } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { conditions, tagCondition } from './filter-sql.js';
import { narrowTags } from './narrow-tags.js';
import type { Rows } from './selectivity.js';

type Request = { readonly tags: readonly string[]; readonly filter: MemoryFilter; readonly limit: number };

/**
 * Up to this number of memories with a tag are all filtered and sorted; beyond it, an index scan in the wanted order
 * fills the limit sooner.
 */
const NARROW = 3_000;

export const readTopByTag = procedure(
  import.meta.url,
  'readTopByTag',
  (database, { tags, filter, limit }: Request): Map<string, MemoryId[]> =>
    new Map(
      tags.map((tag) => [
        tag,
        topOfOne(database, { tag: { values: [tag], mode: 'any', match: 'prefix' }, filter, limit }),
      ]),
    ),
);

type Search = { readonly tag: TagFilter; readonly filter: MemoryFilter; readonly limit: number };

function topOfOne(database: Database, { tag, filter, limit }: Search): MemoryId[] {
  const admitted = conditions(filter);
  const [tagged] = [tag, ...tagFiltersOf(filter)].flatMap((tags) => narrowTags(database, tags, NARROW) ?? []);
  const [from, params] = tagged ? narrow(tag, tagged) : walk(tag);
  const rows = database.all(
    `SELECT m.id ${from} ${admitted.sql} ORDER BY m.importance DESC, m.timestamp DESC, m.id LIMIT ?`,
    [...params, ...admitted.params, limit],
  );
  return rows.map((row) => row['id'] as MemoryId);
}

/** The rows of one of the conditions on tags. A row may come more than once. */
function narrow(tag: TagFilter, rows: Rows): readonly [sql: string, params: readonly SqlValue[]] {
  const { sql, params } = tagCondition(tag);
  const tagged = `SELECT DISTINCT n FROM (${rows.sql})`;
  return [
    `FROM (${tagged}) AS tagged CROSS JOIN memories AS m ON m.n = tagged.n WHERE ${sql} AND`,
    [...rows.params, ...params],
  ];
}

function walk(tag: TagFilter): readonly [sql: string, params: readonly SqlValue[]] {
  const { sql, params } = tagCondition(tag);
  return [`FROM memories AS m INDEXED BY memories_by_importance WHERE ${sql} AND`, params];
}
