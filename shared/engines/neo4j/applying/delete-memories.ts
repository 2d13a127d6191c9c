/** Deletes memories. A tombstone with id and version stays, so that a late event cannot restore the memory. */
import { int } from 'neo4j-driver';
import type { RecordedEvent } from '../../../contract/events.js';
import { HUB_SIZE } from '../../../ports/graph.js';
import type { Statement } from '../neo4j.js';
import { ANY_ASSOCIATION } from '../schema/any-association.js';
import { DELETED_HUB } from '../schema/labels.js';

export type MemoryDeletion = Pick<RecordedEvent, 'subject' | 'version' | 'revision' | 'time'>;

/**
 * Expects at most one version of each memory; the memories and their neighbours are locked. Also deletes tags, and
 * associations but a hub's.
 */
export function deleteMemories(deletions: readonly MemoryDeletion[]): Statement {
  return { text: DELETE_MEMORIES, given: { rows: deletions.map(rowOf), hubSize: HUB_SIZE } };
}

/**
 * Every read asks for the label `Memory` at both ends of an association, so the associations that a hub keeps for now
 * are not found. All relationships count, also those of tags: the node knows this number.
 */
export const DELETE_MEMORIES = `UNWIND $given.rows AS row
  MATCH (m:Subject {id: row.node.id}) USING INDEX SEEK m:Subject(id)
  WHERE coalesce(m.version, 0) < row.node.version
  WITH m, row, [label IN labels(m) WHERE label <> 'Subject'] AS formerLabels, COUNT { (m)--() } > $given.hubSize AS isHub
  CALL (m) { MATCH (m)-[own:TAGGED|DESCRIBED]->(m) DELETE own }
  CALL (m, isHub) { WITH m, isHub WHERE NOT isHub MATCH (m)-[r:${ANY_ASSOCIATION}]-() DELETE r }
  REMOVE m:$(formerLabels)
  SET m = row.node
  FOREACH (hub IN CASE WHEN isHub THEN [m] ELSE [] END | SET hub:${DELETED_HUB})`;

function rowOf({ subject, version, revision, time }: MemoryDeletion): Record<string, unknown> {
  return { node: { id: subject, version: int(version), revision: int(revision), deleted_at: time, locked: true } };
}
