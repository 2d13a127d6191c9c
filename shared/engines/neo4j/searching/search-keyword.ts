/**
 * Keyword search: the full-text index evaluates words and filter together, so that a narrow filter still fills the
 * limit.
 */
import type { MemoryId } from '../../../contract/memory.js';
import type { KeywordSearch } from '../../../ports/graph.js';
import { hitsFor, rankByWords, type WordHit } from '../../../text/rank-by-words.js';
import type { Neo4j, Statement } from '../neo4j.js';
import { filterParameters, IS_ADMITTED } from './filter-conditions.js';
import { clauseCount, filterClauses, MAX_CLAUSES, wordClauses } from './full-text-query.js';

const RANKED = `WITH m, ' ' + m.terms + ' ' AS terms, ' ' + m.tag_terms + ' ' AS tagTerms
  RETURN m.id AS id, m.importance AS importance, m.timestamp AS timestamp,
    [word IN $given.words | CASE WHEN terms CONTAINS word THEN 2 WHEN tagTerms CONTAINS word THEN 1 ELSE 0 END] AS points`;

export const KEYWORD = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query, {limit: toInteger($given.most)}) YIELD node AS m
  ${RANKED}`;

/**
 * For a filter with more clauses than the index takes: filters every memory with a word, because a limit inside the
 * index would lose some.
 */
export const KEYWORD_CHECKED = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query) YIELD node AS m, score
  WHERE ${IS_ADMITTED}
  WITH m, score ORDER BY score DESC, m.rank LIMIT toInteger($given.most)
  ${RANKED}`;

export async function searchKeyword(neo4j: Pick<Neo4j, 'read'>, search: KeywordSearch): Promise<readonly MemoryId[]> {
  if (search.limit === 0) return [];
  const rows = await neo4j.read(statementOf(search));
  return rankByWords(rows as readonly WordHit[], search.limit); // the columns of RANKED
}

function statementOf({ terms, filter, limit }: KeywordSearch): Statement {
  const words = wordClauses(terms);
  const any = `+(${words.join(' ')})`;
  const given = { words: terms.map((term) => ` ${term} `), most: hitsFor({ filter, limit }) };
  if (words.length + clauseCount(filter) > MAX_CLAUSES) {
    return { text: KEYWORD_CHECKED, given: { ...given, query: any, ...filterParameters(filter) } };
  }
  return { text: KEYWORD, given: { ...given, query: [any, ...filterClauses(filter)].join(' ') } };
}
