/** Deletes memories. A tombstone with id and version stays, so that a late event cannot restore the memory. */
import { int } from 'neo4j-driver';
import type { RecordedEvent } from '../../../contract/events.js';
import type { Statement } from '../neo4j.js';

export type MemoryDeletion = Pick<RecordedEvent, 'subject' | 'version' | 'revision' | 'time'>;

/** Expects at most one version of each memory; the memories and their neighbours are locked. Also deletes associations and tags. */
export function deleteMemories(deletions: readonly MemoryDeletion[]): Statement {
  return { text: DELETE_MEMORIES, given: { rows: deletions.map(rowOf) } };
}

export const DELETE_MEMORIES = `UNWIND $given.rows AS row
  MATCH (m:Subject {id: row.node.id}) USING INDEX SEEK m:Subject(id)
  WHERE coalesce(m.version, 0) < row.node.version
  WITH m, row, [label IN labels(m) WHERE label <> 'Subject'] AS formerLabels
  CALL (m) { MATCH (m)-[r]-() DELETE r }
  REMOVE m:$(formerLabels)
  SET m = row.node`;

function rowOf({ subject, version, revision, time }: MemoryDeletion): Record<string, unknown> {
  return { node: { id: subject, version: int(version), revision: int(revision), deleted_at: time, locked: true } };
}
