/** Keyword search: words and filter meet inside the full-text index, so that a narrow filter still fills the limit. */
import type { MemoryId } from '../../contract/memory.js';
import type { KeywordSearch } from '../graph.js';
import { filterParameters, IS_ADMITTED } from './filter-conditions.js';
import { clauseCount, filterClauses, MOST_CLAUSES, wordClauses } from './full-text-query.js';
import type { Neo4j, Statement } from './neo4j.js';

/**
 * The index yields those of one score in any order, and cuts among them at its limit. So it is asked for some more, and the more important
 * come first among equals: the same memories in the same order whatever the limit.
 */
export const KEYWORD = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query, {limit: toInteger($given.most)}) YIELD node, score
  WITH node, score ORDER BY score DESC, node.rank LIMIT toInteger($given.limit)
  RETURN node.id AS id`;

/** More equals than these are cut anywhere. */
const SPARE = 200;

/** For a filter of more clauses than the index takes: every memory with a word is judged, and a limit inside the index would lose some. */
export const KEYWORD_JUDGED = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query) YIELD node AS m, score
  WHERE ${IS_ADMITTED}
  WITH m, score ORDER BY score DESC, m.rank LIMIT toInteger($given.limit)
  RETURN m.id AS id`;

export async function searchKeyword(neo4j: Pick<Neo4j, 'read'>, search: KeywordSearch): Promise<readonly MemoryId[]> {
  if (search.limit === 0) return [];
  const rows = await neo4j.read(statementOf(search));
  return rows.map((row) => row['id'] as MemoryId);
}

function statementOf({ terms, filter, limit }: KeywordSearch): Statement {
  const words = wordClauses(terms);
  const any = `+(${words.join(' ')})`;
  if (words.length + clauseCount(filter) > MOST_CLAUSES) {
    return { text: KEYWORD_JUDGED, given: { query: any, limit, ...filterParameters(filter) } };
  }
  return { text: KEYWORD, given: { query: [any, ...filterClauses(filter)].join(' '), limit, most: limit + SPARE } };
}
