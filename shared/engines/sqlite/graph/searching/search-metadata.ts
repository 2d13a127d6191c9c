/**
 * Finds memories by the words of their searched metadata; rare words count more. Most words of a query are in no
 * metadata: one index seek each.
 */
import { METADATA_HOLDERS } from '../../../../contract/limits.js';
import type { MemoryId } from '../../../../contract/memory.js';
import type { MetadataValue } from '../../../../contract/metadata-fields.js';
import { METADATA_PART, METADATA_WEIGHT, type MetadataHit, type MetadataSearch } from '../../../../ports/graph.js';
import type { Database, SqlValue } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { conditions } from './filter-sql.js';
import { admittedRows } from './narrow-rows.js';
import { hasLapsed } from './selectivity.js';

export const searchMetadata = procedure(
  import.meta.url,
  'searchMetadata',
  (database, { words, minimumWords = 1, filter, limit }: MetadataSearch): MetadataHit[] => {
    const counted = words
      .map((word) => ({ word, count: Number(database.get(COUNT, [word])?.['holders']) }))
      .filter(({ count }) => count > 0);
    if (counted.length < minimumWords || (filter.state === 'lapsed' && !hasLapsed(database, filter.now))) return [];
    const isCut = counted.some(({ count }) => count > METADATA_HOLDERS);
    const part = isCut ? admittedRows(database, filter, METADATA_PART) : null;
    const held = holdersOf(
      counted.map(({ word }) => word),
      part,
    );
    const admitted = conditions(filter);
    return database
      .all(searchOf(held.sql, admitted.sql), [...held.params, ...admitted.params, limit])
      .map((row) => ({ id: row['id'] as MemoryId, values: JSON.parse(String(row['found'])) as MetadataValue[] }));
  },
);

/**
 * Runs the searches of one request in one procedure: the call of a reader thread costs more than a search that finds
 * nothing.
 */
export const searchAllMetadata = procedure(
  import.meta.url,
  'searchAllMetadata',
  (database: Database, searches: readonly MetadataSearch[]): MetadataHit[][] =>
    searches.map((search) => searchMetadata.run(database, search)),
);

const COUNT = `SELECT count(*) AS holders FROM (SELECT 1 FROM metadata_words WHERE word = ? LIMIT ${METADATA_HOLDERS + 1})`;
const HOLDERS = `SELECT * FROM (SELECT word, n FROM metadata_words WHERE word = ? ORDER BY importance DESC, timestamp DESC, id LIMIT ${METADATA_HOLDERS})`;
/** One seek for each word and row. */
const HOLDERS_IN_PART = `SELECT w.word, w.n FROM json_each(?) AS part CROSS JOIN memories AS p ON p.n = part.value
  CROSS JOIN json_each(?) AS wanted CROSS JOIN metadata_words AS w
    ON w.word = wanted.value AND w.importance = p.importance AND w.timestamp = p.timestamp AND w.id = p.id`;

type Holders = { readonly sql: string; readonly params: readonly SqlValue[] };

/** The holders of each word: all of them in the part, or the first ones where there is no part. */
function holdersOf(words: readonly string[], part: readonly number[] | null): Holders {
  return part === null
    ? { sql: words.map(() => HOLDERS).join(' UNION ALL '), params: words }
    : { sql: HOLDERS_IN_PART, params: [JSON.stringify(part), JSON.stringify(words)] };
}

/**
 * One text for each number of words. The values are read after the limit: reading them before the sort took half as
 * long again.
 */
function searchOf(holders: string, filter: string): string {
  return `WITH admitted AS MATERIALIZED
      (SELECT h.word, h.n FROM (${holders}) AS h CROSS JOIN memories AS m ON m.n = h.n WHERE ${filter}),
    weights AS MATERIALIZED (SELECT word, ${METADATA_WEIGHT} / count(*) AS weight FROM admitted GROUP BY word),
    best AS (SELECT m.n, m.id, m.importance, m.timestamp, h.weight
      FROM (SELECT n, sum(weight) AS weight FROM admitted CROSS JOIN weights USING (word) GROUP BY n) AS h
        CROSS JOIN memories AS m ON m.n = h.n
      ORDER BY h.weight DESC, m.importance DESC, m.timestamp DESC, m.id LIMIT ?)
    SELECT p.id, v.found FROM best AS p CROSS JOIN metadata_values AS v ON v.n = p.n
    ORDER BY p.weight DESC, p.importance DESC, p.timestamp DESC, p.id`;
}
