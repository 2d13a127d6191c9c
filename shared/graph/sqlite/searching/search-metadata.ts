/** Finds memories by the words of their searched metadata; rare words count more. Most words of a query are in no metadata: one index seek each. */
import { METADATA_HOLDERS } from '../../../contract/limits.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { MetadataValue } from '../../../contract/metadata-fields.js';
import { procedure } from '../../../sqlite/host.js';
import { METADATA_WEIGHT, type MetadataHit, type MetadataSearch } from '../../graph.js';
import { conditions } from './filter-sql.js';
import { hasLapsed } from './selectivity.js';

export const searchMetadata = procedure(
  import.meta.url,
  'searchMetadata',
  (database, { words, filter, limit }: MetadataSearch): MetadataHit[] => {
    const holders = words
      .map((word) => ({ word, count: Number(database.get(COUNT, [word])?.['holders']) }))
      .filter(({ count }) => count > 0);
    if (holders.length === 0 || (filter.state === 'lapsed' && !hasLapsed(database, filter.now))) return [];
    const { sql, params } = conditions(filter);
    const weighed = holders.flatMap(({ word, count }) => [Math.floor(METADATA_WEIGHT / count), word]);
    return database.all(searchOf(holders.length, sql), [...weighed, ...params, limit]).map((row) => ({
      id: row['id'] as MemoryId,
      values: JSON.parse(String(row['found'])) as MetadataValue[],
    }));
  },
);

/** Runs the searches of one request in one procedure: the call of a reader thread costs more than a search that finds nothing. */
export const searchAllMetadata = procedure(
  import.meta.url,
  'searchAllMetadata',
  (database, searches: readonly MetadataSearch[]): MetadataHit[][] =>
    searches.map((search) => searchMetadata.run(database, search)),
);

const COUNT = `SELECT count(*) AS holders FROM (SELECT 1 FROM metadata_words WHERE word = ? LIMIT ${METADATA_HOLDERS})`;
/** SQLite returns the weight of a word as a floating-point number (.0); its sums equal the sums of integers. */
const HOLDERS = `SELECT * FROM (SELECT ? AS weight, n FROM metadata_words WHERE word = ? ORDER BY importance DESC, timestamp DESC, id LIMIT ${METADATA_HOLDERS})`;

/** One text for each number of words. The values are read after the limit: reading them before the sort took half as long again. */
function searchOf(words: number, filter: string): string {
  const held = Array.from({ length: words }, () => HOLDERS).join(' UNION ALL ');
  const best = `SELECT m.n, m.id, h.weight, m.importance, m.timestamp
    FROM (SELECT n, sum(weight) AS weight FROM (${held}) GROUP BY n) AS h CROSS JOIN memories AS m ON m.n = h.n
    WHERE ${filter} ORDER BY h.weight DESC, m.importance DESC, m.timestamp DESC, m.id LIMIT ?`;
  return `SELECT p.id, v.found FROM (${best}) AS p CROSS JOIN metadata_values AS v ON v.n = p.n
    ORDER BY p.weight DESC, p.importance DESC, p.timestamp DESC, p.id`;
}
