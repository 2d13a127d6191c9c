/** The rows that a tag filter leaves, found by their keys, where these are few. */
import type { TagFilter } from '../../contract/filter.js';
import type { Database } from '../../sqlite/database.js';
import { wantedKeys } from './filter-sql.js';
import { countUpTo, type Rows } from './selectivity.js';

const HAVING: Readonly<Record<TagFilter['match'], string>> = {
  exact: 'SELECT n FROM tag_order WHERE key',
  prefix: 'SELECT n FROM memory_tags INDEXED BY memory_tags_by_prefix WHERE kind = 1 AND key',
};
/** Of more tags that are all wanted the first ones are counted. */
const COUNTED_TAGS = 8;

/**
 * What has any of the tags, or where all are wanted what has each of them, the rarest first. Nothing of what is more than `limit`, so the
 * filter is still to be judged. A row may come more than once.
 */
export function narrowTags(database: Database, tags: TagFilter, limit: number): readonly Rows[] {
  const keys = wantedKeys(tags).map(({ key }) => key);
  const lists = tags.mode === 'any' ? [keys] : keys.slice(0, COUNTED_TAGS).map((key) => [key]);
  const counted = lists.map((list) => {
    const rows = { sql: `${HAVING[tags.match]} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(list)] };
    return { rows, count: countUpTo(database, limit + 1, rows) };
  });
  return counted.filter(({ count }) => count <= limit).sort((one, other) => one.count - other.count).map(({ rows }) => rows);
}
