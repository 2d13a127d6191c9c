/**
 * Keyword search: the full-text index evaluates words and filter together, so that a narrow filter still fills the
 * limit. All hits come in one row: with a row for each of 400 hits the server needs twice the time, and the driver too.
 */
import type { MemoryId } from '../../../contract/memory.js';
import type { KeywordSearch } from '../../../ports/graph.js';
import { hitsFor, rankByWords } from '../../../text/rank-by-words.js';
import type { Neo4j, Row, Statement } from '../neo4j.js';
import { filterParameters, IS_ADMITTED } from './filter-conditions.js';
import { clauseCount, filterClauses, MAX_CLAUSES, wordClauses } from './full-text-query.js';

/** The projection reads all properties of a node at once. `words`: an expression. */
const hitsOf = (words: string): string => `WITH m {.id, .importance, .timestamp, .terms, .tag_terms} AS m
  WITH m, ' ' + m.terms + ' ' AS terms, ' ' + m.tag_terms + ' ' AS tagTerms
  RETURN collect([m.id, m.importance, m.timestamp]) AS hits,
    collect([word IN ${words} | CASE WHEN terms CONTAINS word THEN 2 WHEN tagTerms CONTAINS word THEN 1 ELSE 0 END]) AS points`;

export const KEYWORD = `UNWIND range(0, size($given.searches) - 1) AS number
  WITH number, $given.searches[number] AS search
  CALL (search) {
    CALL db.index.fulltext.queryNodes('memory_terms', search.query, {limit: toInteger(search.most)}) YIELD node AS m
    ${hitsOf('search.words')}
  }
  RETURN number, hits, points`;

/**
 * For a filter with more clauses than the index takes: filters every memory with a word, because a limit inside the
 * index would lose some.
 */
export const KEYWORD_CHECKED = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query) YIELD node AS m, score
  WHERE ${IS_ADMITTED}
  WITH m, score ORDER BY score DESC, m.rank LIMIT toInteger($given.most)
  ${hitsOf('$given.words')}`;

export async function searchKeyword(neo4j: Pick<Neo4j, 'read'>, search: KeywordSearch): Promise<readonly MemoryId[]> {
  return (await searchKeywords(neo4j, [search]))[0] ?? [];
}

/** The hits of each search. All searches whose filter the index takes are one statement, which runs on one core. */
export async function searchKeywords(
  neo4j: Pick<Neo4j, 'read'>,
  searches: readonly KeywordSearch[],
): Promise<readonly (readonly MemoryId[])[]> {
  const prepared = searches.map(prepare);
  const together = prepared.filter(({ search, checked }) => search.limit > 0 && checked === null);
  const found = new Map<KeywordSearch, Row>();
  await Promise.all([
    ...prepared.map(async ({ search, checked }) => {
      if (search.limit === 0 || checked === null) return;
      const [row] = await neo4j.read(checked);
      if (row) found.set(search, row);
    }),
    together.length > 0 &&
      neo4j.read({ text: KEYWORD, given: { searches: together.map(({ given }) => given) } }).then((rows) => {
        for (const row of rows) {
          const one = together[Number(row['number'])];
          if (one) found.set(one.search, row);
        }
      }),
  ]);
  return searches.map((search) => rankedHits(found.get(search), search.limit));
}

type Prepared = {
  readonly search: KeywordSearch;
  readonly given: { readonly query: string; readonly words: readonly string[]; readonly most: number };
  /** The statement of a search that is not indexed as a whole. */
  readonly checked: Statement | null;
};

function prepare(search: KeywordSearch): Prepared {
  const { terms, filter, limit } = search;
  const words = wordClauses(terms);
  const any = `+(${words.join(' ')})`;
  const given = { words: terms.map((term) => ` ${term} `), most: hitsFor({ filter, limit }) };
  if (words.length + clauseCount(filter) <= MAX_CLAUSES)
    return { search, given: { ...given, query: [any, ...filterClauses(filter)].join(' ') }, checked: null };
  const unfiltered = { ...given, query: any };
  return {
    search,
    given: unfiltered,
    checked: { text: KEYWORD_CHECKED, given: { ...unfiltered, ...filterParameters(filter) } },
  };
}

function rankedHits(row: Row | undefined, limit: number): readonly MemoryId[] {
  if (row === undefined) return [];
  const points = row['points'] as readonly (readonly number[])[];
  const hits = (row['hits'] as readonly [MemoryId, number, string][]).map(([id, importance, timestamp], index) => ({
    ...{ id, importance, timestamp },
    points: points[index] ?? [],
  }));
  return rankByWords(hits, limit);
}
