/**
 * Reads the most important memories of each of a few tags under a filter. One statement asks the full-text index for
 * all tags. A tag with many memories needs a second statement, an index scan by importance that fills the limit soon.
 */
import type { MemoryFilter, TagFilter } from '../../../contract/filter.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { Neo4j } from '../neo4j.js';
import { tagFacets } from '../schema/facets.js';
import { filterParameters } from './filter-conditions.js';
import { clauseCount, filterClauses, MAX_CLAUSES, tagClauses } from './full-text-query.js';
import { WALKS } from './read-trending.js';

type Request = { readonly tags: readonly string[]; readonly filter: MemoryFilter; readonly limit: number };

/** Up to this number of matches are all sorted; beyond it, the index scan fills the limit soon. */
const NARROW = 2_000;

export async function readTopByTag(
  neo4j: Pick<Neo4j, 'read'>,
  { tags, filter, limit }: Request,
): Promise<ReadonlyMap<string, readonly MemoryId[]>> {
  const distinct = [...new Set(tags)];
  const narrow = await sortFew(neo4j, { tags: distinct, filter, limit });
  const found = await Promise.all(
    distinct.map(async (tag) => [tag, narrow.get(tag) ?? (await walk(neo4j, { tag, filter, limit }))] as const),
  );
  return new Map(found);
}

/** The ids of each tag with few memories. */
async function sortFew(
  neo4j: Pick<Neo4j, 'read'>,
  { tags, filter, limit }: Request,
): Promise<ReadonlyMap<string, readonly MemoryId[]>> {
  if (tags.length === 0 || clauseCount(filter) >= MAX_CLAUSES) return new Map();
  const filterParts = filterClauses(filter);
  const searches = tags.map((tag) => ({ tag, query: [...tagClauses(prefixed(tag)), ...filterParts].join(' ') }));
  const rows = await neo4j.read({ text: TOP_BY_TAG, given: { searches, most: NARROW + 1, narrow: NARROW, limit } });
  return new Map(rows.map((row) => [row['tag'] as string, row['ids'] as MemoryId[]]));
}

type Walk = { readonly tag: string; readonly filter: MemoryFilter; readonly limit: number };

async function walk(neo4j: Pick<Neo4j, 'read'>, { tag, filter, limit }: Walk): Promise<readonly MemoryId[]> {
  const parameters = filterParameters(filter);
  const facets = tagFacets(prefixed(tag)).map((facet) => ` ${facet} `);
  const rows = await neo4j.read({
    text: WALKS.importance,
    given: { ...parameters, allOf: [...parameters.allOf, ...facets], limit },
  });
  return rows.map((row) => row['id'] as MemoryId);
}

function prefixed(tag: string): TagFilter {
  return { values: [tag], mode: 'any', match: 'prefix' };
}

export const TOP_BY_TAG = `UNWIND $given.searches AS search
  CALL (search) {
    CALL db.index.fulltext.queryNodes('memory_terms', search.query, {limit: toInteger($given.most)}) YIELD node
    RETURN collect(node) AS found
  }
  WITH search, found WHERE size(found) <= $given.narrow
  RETURN search.tag AS tag, COLLECT {
    UNWIND found AS m
    WITH m, m.rank AS key ORDER BY key LIMIT toInteger($given.limit)
    RETURN m.id
  } AS ids`;
