/** Shows stored and updated memories: properties, labels, and a loop for each whole tag and each word of searched metadata. */
import { int } from 'neo4j-driver';
import type { MemoryState } from '../../contract/events.js';
import { metadataValues, searchWords } from '../../text/metadata-values.js';
import { wholeTagKey } from '../../text/tags.js';
import { labelsOf } from './labels.js';
import { memoryNode } from './memory-node.js';
import type { Statement } from './neo4j.js';

export type Shown = MemoryState & {
  readonly version: number;
  readonly revision: number;
  readonly changed: readonly string[];
};

/** At most one version of each memory: all rows pass the guard before the first one is written. The memories are locked. */
export function showMemories(shown: readonly Shown[]): Statement {
  return { text: SHOW_MEMORIES, given: { rows: shown.map(rowOf) } };
}

/**
 * A touch may have come after the decision was loaded; only a caller who names `last_accessed` sets it back. Tags, words and their place are
 * written again only where they changed, and so are labels: each is an entry in an index.
 */
export const SHOW_MEMORIES = `UNWIND $given.rows AS row
  MATCH (m:Subject {id: row.id}) USING INDEX SEEK m:Subject(id)
  WHERE coalesce(m.version, 0) < row.version AND m.deleted_at IS NULL
  WITH m, row,
    coalesce(m.rank = row.node.rank AND m.tags = row.node.tags, false) AS isInPlace,
    coalesce(m.rank = row.node.rank AND coalesce(m.metadata_words, []) = row.words, false) AS isDescribed,
    CASE WHEN m.last_accessed > row.node.last_accessed AND NOT row.setsAccess THEN m.last_accessed ELSE row.node.last_accessed END AS accessed,
    m.derived_version AS derivedVersion,
    [label IN labels(m) WHERE label <> 'Subject' AND NOT label IN row.labels] AS formerLabels
  CALL (m, isInPlace) { MATCH (m)-[old:TAGGED]->(m) WHERE NOT isInPlace DELETE old }
  CALL (m, isDescribed) { MATCH (m)-[old:DESCRIBED]->(m) WHERE NOT isDescribed DELETE old }
  REMOVE m:$(formerLabels)
  SET m:$(row.labels)
  SET m = row.node
  SET m.last_accessed = accessed, m.derived_version = derivedVersion
  FOREACH (tag IN CASE WHEN isInPlace THEN [] ELSE row.tags END | CREATE (m)-[:TAGGED {tag: tag, rank: row.node.rank}]->(m))
  FOREACH (word IN CASE WHEN isDescribed THEN [] ELSE row.words END | CREATE (m)-[:DESCRIBED {word: word, rank: row.node.rank}]->(m))`;

function rowOf(shown: Shown): Record<string, unknown> {
  const { memory, version, changed } = shown;
  return {
    id: memory.id,
    version: int(version),
    node: memoryNode(shown),
    labels: labelsOf(memory),
    tags: [...new Set(memory.tags.map(wholeTagKey))],
    words: searchWords(metadataValues(memory.metadata)),
    setsAccess: changed.includes('last_accessed'),
  };
}
