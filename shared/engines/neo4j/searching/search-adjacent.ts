/**
 * Finds the memories just before and just after given moments: two scans of at most ADJACENT_TESTED entries of the time
 * index for each anchor.
 */
import { ADJACENT_TESTED, type AdjacentHits, type AdjacentSearch } from '../../../ports/graph.js';
import type { Neo4j } from '../neo4j.js';
import { tagFacets } from '../schema/facets.js';
import { filterParameters, IS_ADMITTED } from './filter-conditions.js';

export async function searchAdjacent(
  neo4j: Pick<Neo4j, 'read'>,
  { anchors, filter, limit }: AdjacentSearch,
): Promise<readonly AdjacentHits[]> {
  if (anchors.length === 0) return [];
  const given = {
    ...filterParameters(filter),
    anchors: anchors.map(({ at, from, until, tag }, place) => ({ place, at, from, until, facet: facetOf(tag) })),
    limit,
  };
  const rows = await neo4j.read({ text: ADJACENT, given });
  return [...rows]
    .sort((one, other) => Number(one['place']) - Number(other['place']))
    .map(({ before, after }) => ({ before, after }) as AdjacentHits); // the columns of ADJACENT
}

/** Every text contains the empty one. */
function facetOf(tag: string | null): string {
  const [facet] = tag === null ? [] : tagFacets({ values: [tag], mode: 'any', match: 'exact' });
  return facet === undefined ? '' : ` ${facet} `;
}

/** The limit before the condition ends the index scan; the one after it cuts the sorted rest. */
function side(name: 'before' | 'after', bounds: string, order: 'DESC' | 'ASC'): string {
  return `CALL (anchor) {
    MATCH (m:Memory) USING INDEX m:Memory(timestamp) WHERE ${bounds}
    WITH anchor, m, m.timestamp AS key ORDER BY key ${order} LIMIT ${ADJACENT_TESTED}
    WITH anchor, m, key WHERE m.facets CONTAINS anchor.facet AND ${IS_ADMITTED}
    WITH m, key ORDER BY key ${order}, m.rank LIMIT toInteger($given.limit)
    RETURN collect(m.id) AS ${name}
  }`;
}

export const ADJACENT = `UNWIND $given.anchors AS anchor
  ${side('before', 'm.timestamp >= anchor.from AND m.timestamp < anchor.at', 'DESC')}
  ${side('after', 'm.timestamp > anchor.at AND m.timestamp <= anchor.until', 'ASC')}
  RETURN anchor.place AS place, before, after`;
