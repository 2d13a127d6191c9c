/** Keyword search: terms and tags meet inside the full-text index, the rest of the filter is judged in the order of relevance. */
import type { MemoryId } from '../../contract/memory.js';
import { procedure } from '../../sqlite/host.js';
import type { KeywordSearch } from '../graph.js';
import { conditionsBesideTags, quoted, tagExpression } from './filter-sql.js';

/**
 * `rank` is bm25 with content 2, tags 1 (migrations.ts). FTS5 sorts by it itself, so the join reads only as many rows as it takes to
 * fill the limit; sorting by bm25() outside would judge every match first.
 */
const search = (conditions: string): string => `SELECT m.id FROM memory_terms AS f CROSS JOIN memories AS m ON m.n = f.rowid
  WHERE f.memory_terms MATCH ? AND ${conditions} ORDER BY f.rank LIMIT ?`;

export const searchKeyword = procedure(import.meta.url, 'searchKeyword', (database, { terms, filter, limit }: KeywordSearch): MemoryId[] => {
  const { sql, params } = conditionsBesideTags(filter);
  const words = `{content tags} : (${terms.map(quoted).join(' OR ')})`;
  const expression = filter.tags ? `${words} AND ${tagExpression(filter.tags)}` : words;
  return database.all(search(sql), [expression, ...params, limit]).map((row) => row['id'] as MemoryId);
});
