/**
 * Finds memories by the words of their searched metadata: an index of word and rank has the self-relationships of each
 * word in order.
 */
import { METADATA_HOLDERS } from '../../../contract/limits.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { MetadataValue } from '../../../contract/metadata-fields.js';
import { METADATA_PART, METADATA_WEIGHT, type MetadataHit, type MetadataSearch } from '../../../ports/graph.js';
import type { Neo4j, Row } from '../neo4j.js';
import { filterParameters, isAdmitted } from './filter-conditions.js';
import { filterClauses, isIndexed } from './full-text-query.js';

/** The hits of the pairs of `m` and `word`. A word counts by its number of pairs. */
const BEST = `WITH word, collect(m) AS holders
    UNWIND holders AS m
    WITH m, sum(toInteger($given.weight) / size(holders)) AS weight
    WITH m, weight ORDER BY weight DESC, m.rank LIMIT toInteger($given.limit)
    RETURN {id: m.id, found: m.metadata_values}`;

/**
 * As in `BY_TAG`, WHERE and ORDER BY use both columns of the index, so that only the last step sorts. `isCut`: a word
 * has more holders. One row for each filter.
 */
export const METADATA = `UNWIND $given.words AS word
  CALL (word) {
    MATCH ()-[r:DESCRIBED]->() USING INDEX SEEK r:DESCRIBED(word, rank) WHERE r.word = word AND r.rank > ''
    WITH r ORDER BY r.word, r.rank LIMIT toInteger($given.holders) + 1
    RETURN collect(startNode(r)) AS found
  }
  WITH collect({word: word, holders: found[0..toInteger($given.holders)], isCut: size(found) > $given.holders}) AS lists
  UNWIND range(0, size($given.filters) - 1) AS number
  WITH lists, number, $given.filters[number] AS filter
  RETURN number, any(list IN lists WHERE list.isCut) AS isCut, COLLECT {
    UNWIND lists AS list UNWIND list.holders AS m
    WITH m, collect(list.word) AS held WHERE ${isAdmitted({ filter: 'filter' })}
    UNWIND held AS word
    ${BEST}
  } AS hits`;

/** For a selective filter: reads all memories that it admits, so that no memory beyond the filter counts. */
export const METADATA_OF_PART = `CALL () {
    CALL db.index.fulltext.queryNodes('memory_terms', $given.query, {limit: toInteger($given.part) + 1}) YIELD node
    RETURN collect(node) AS found
  }
  WITH found, size(found) <= $given.part AS isPart
  RETURN isPart, COLLECT {
    UNWIND CASE WHEN isPart THEN found ELSE [] END AS m
    UNWIND [word IN $given.words WHERE word IN m.metadata_words] AS word
    ${BEST}
  } AS hits`;

export async function searchMetadata(
  neo4j: Pick<Neo4j, 'read'>,
  search: MetadataSearch,
): Promise<readonly MetadataHit[]> {
  return (await searchMetadatas(neo4j, [search]))[0] ?? [];
}

/**
 * The hits of searches for the same words with the same limit. Further statements read up to 2,001 memories each: only
 * for a word with many holders, and not for a filter too long for the index.
 */
export async function searchMetadatas(
  neo4j: Pick<Neo4j, 'read'>,
  searches: readonly MetadataSearch[],
): Promise<readonly (readonly MetadataHit[])[]> {
  const [first] = searches;
  if (!first) return [];
  const { words, limit } = first;
  const filters = searches.map(({ filter }) => filterParameters(filter));
  const given = { words, limit, holders: METADATA_HOLDERS, weight: METADATA_WEIGHT, filters };
  const rows = await neo4j.read({ text: METADATA, given });
  const found = new Map(rows.map((row) => [Number(row['number']), row]));
  return Promise.all(
    searches.map(async (search, number) => {
      const row = found.get(number);
      const isPartRead = row?.['isCut'] === true && isIndexed(search.filter);
      return (isPartRead ? await searchMetadataOfPart(neo4j, search) : null) ?? hitsOf(row);
    }),
  );
}

/** Null when the filter, which is indexed, admits more than METADATA_PART memories. */
export async function searchMetadataOfPart(
  neo4j: Pick<Neo4j, 'read'>,
  { words, filter, limit }: MetadataSearch,
): Promise<readonly MetadataHit[] | null> {
  const query = filterClauses(filter).join(' ');
  const given = { words, limit, query, part: METADATA_PART, weight: METADATA_WEIGHT };
  const [row] = await neo4j.read({ text: METADATA_OF_PART, given });
  return row?.['isPart'] === true ? hitsOf(row) : null;
}

function hitsOf(row: Row | undefined): readonly MetadataHit[] {
  const hits = (row?.['hits'] ?? []) as readonly { readonly id: MemoryId; readonly found: string | null }[]; // as BEST returns them
  // A memory that is deleted during the search has no values.
  return hits.flatMap(({ id, found }) => (found === null ? [] : { id, values: JSON.parse(found) as MetadataValue[] }));
}
