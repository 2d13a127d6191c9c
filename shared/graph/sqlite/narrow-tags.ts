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
 * What has any of the tags; where all are wanted, what has the rarest of them, which is for the caller to judge further. A row may come more
 * than once. Null when they are more than `limit`.
 */
export function narrowTags(database: Database, tags: TagFilter, limit: number): Rows | null {
  const keys = wantedKeys(tags).map(({ key }) => key);
  const lists = tags.mode === 'any' ? [keys] : keys.slice(0, COUNTED_TAGS).map((key) => [key]);
  const counted = lists.map((list) => {
    const rows = { sql: `${HAVING[tags.match]} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(list)] };
    return { rows, count: countUpTo(database, limit + 1, rows) };
  });
  const [rarest] = counted.sort((one, other) => one.count - other.count);
  return rarest !== undefined && rarest.count <= limit ? rarest.rows : null;
}
