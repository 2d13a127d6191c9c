/** Finds memories by the words of their searched metadata: an index of word and rank has the self-relationships of each word in order. */
import { METADATA_HOLDERS } from '../../../contract/limits.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { MetadataValue } from '../../../contract/metadata-fields.js';
import { METADATA_WEIGHT, type MetadataHit, type MetadataSearch } from '../../graph.js';
import type { Neo4j } from '../neo4j.js';
import { filterParameters, IS_ADMITTED } from './filter-conditions.js';

/** As in `BY_TAG`, WHERE and ORDER BY use both columns of the index, so that only the last step sorts. */
export const METADATA = `UNWIND $given.words AS word
  CALL (word) {
    MATCH ()-[r:DESCRIBED]->() USING INDEX SEEK r:DESCRIBED(word, rank) WHERE r.word = word AND r.rank > ''
    WITH r ORDER BY r.word, r.rank LIMIT toInteger($given.holders)
    RETURN collect(startNode(r)) AS holders
  }
  UNWIND holders AS m
  WITH m, sum(toInteger($given.weight) / size(holders)) AS weight
  WHERE ${IS_ADMITTED}
  WITH m, weight ORDER BY weight DESC, m.rank LIMIT toInteger($given.limit)
  RETURN m.id AS id, m.metadata_values AS found`;

export async function searchMetadata(
  neo4j: Pick<Neo4j, 'read'>,
  { words, filter, limit }: MetadataSearch,
): Promise<readonly MetadataHit[]> {
  const given = { words, limit, holders: METADATA_HOLDERS, weight: METADATA_WEIGHT, ...filterParameters(filter) };
  const rows = await neo4j.read({ text: METADATA, given });
  return rows.map((row) => ({
    id: row['id'] as MemoryId,
    values: JSON.parse(String(row['found'])) as MetadataValue[],
  }));
}
