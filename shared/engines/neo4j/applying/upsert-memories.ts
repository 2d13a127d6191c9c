/**
 * Writes stored and updated memories: properties, labels, and a self-relationship for each whole tag and each word of
 * searched metadata.
 */
import { int } from 'neo4j-driver';
import type { MemoryState } from '../../../contract/events.js';
import { metadataValues, searchWords } from '../../../text/metadata-values.js';
import { wholeTagKey } from '../../../text/tags.js';
import type { Statement } from '../neo4j.js';
import { labelsOf } from '../schema/labels.js';
import { memoryNode } from '../schema/memory-node.js';

export type MemoryUpsert = MemoryState & {
  readonly version: number;
  readonly revision: number;
  readonly changed: readonly string[];
  /** Of a stored event; null for a later one, which keeps it. */
  readonly position: number | null;
  /** A stored event: it also replaces an older tombstone. */
  readonly isStored: boolean;
};

/**
 * Expects locked memories and at most one version of each, because all rows pass the version guard before the first
 * write.
 */
export function upsertMemories(upserts: readonly MemoryUpsert[]): Statement {
  return { text: UPSERT_MEMORIES, given: { rows: upserts.map(rowOf) } };
}

/**
 * An access may be recorded after the load of the decision, so the later `last_accessed` wins, unless the command
 * itself changed it.
 * Tags, words, their rank and labels are written only when they changed, because each is an index entry.
 */
export const UPSERT_MEMORIES = `UNWIND $given.rows AS row
  MATCH (m:Subject {id: row.id}) USING INDEX SEEK m:Subject(id)
  WHERE coalesce(m.version, 0) < row.version AND (m.deleted_at IS NULL OR row.isStored)
  WITH m, row,
    coalesce(m.rank = row.node.rank AND m.tags = row.node.tags, false) AS isInPlace,
    coalesce(m.rank = row.node.rank AND coalesce(m.metadata_words, []) = row.words, false) AS isDescribed,
    CASE WHEN m.last_accessed > row.node.last_accessed AND NOT row.setsAccess THEN m.last_accessed ELSE row.node.last_accessed END AS accessed,
    m.derived_version AS derivedVersion, coalesce(row.position, m.position) AS position,
    [label IN labels(m) WHERE label <> 'Subject' AND NOT label IN row.labels] AS formerLabels
  CALL (m, isInPlace) { MATCH (m)-[old:TAGGED]->(m) WHERE NOT isInPlace DELETE old }
  CALL (m, isDescribed) { MATCH (m)-[old:DESCRIBED]->(m) WHERE NOT isDescribed DELETE old }
  REMOVE m:$(formerLabels)
  SET m:$(row.labels)
  SET m = row.node
  SET m.last_accessed = accessed, m.derived_version = derivedVersion, m.position = position
  FOREACH (tag IN CASE WHEN isInPlace THEN [] ELSE row.tags END | CREATE (m)-[:TAGGED {tag: tag, rank: row.node.rank}]->(m))
  FOREACH (word IN CASE WHEN isDescribed THEN [] ELSE row.words END | CREATE (m)-[:DESCRIBED {word: word, rank: row.node.rank}]->(m))`;

function rowOf(upsert: MemoryUpsert): Record<string, unknown> {
  const { memory, version, position, changed, isStored } = upsert;
  return {
    id: memory.id,
    version: int(version),
    position: position === null ? null : int(position),
    node: memoryNode(upsert),
    labels: labelsOf(memory),
    tags: [...new Set(memory.tags.map(wholeTagKey))],
    words: searchWords(metadataValues(memory.metadata)),
    isStored,
    setsAccess: changed.includes('last_accessed'),
  };
}

export type WrittenMemory = { readonly id: string; readonly position: number };

/** Sets the positions that stored events without data give. A memory that was stored again keeps the last one. */
export function setPositions(written: readonly WrittenMemory[]): Statement {
  return { text: SET_POSITIONS, given: { rows: written.map(({ id, position }) => ({ id, position: int(position) })) } };
}

const SET_POSITIONS = `UNWIND $given.rows AS row
  MATCH (m:Subject {id: row.id}) USING INDEX SEEK m:Subject(id)
  WHERE coalesce(m.position, 0) < row.position
  SET m.position = row.position`;
