/** Deletes memories. What stays is a subject with id and version, so that no late event raises the memory again. */
import { int } from 'neo4j-driver';
import type { RecordedEvent } from '../../contract/events.js';
import type { Statement } from './neo4j.js';

export type Forgotten = Pick<RecordedEvent, 'subject' | 'version' | 'revision' | 'time'>;

/** At most one version of each memory, and all of them locked, their neighbours too. Associations and tags go with it. */
export function forgetMemories(forgotten: readonly Forgotten[]): Statement {
  return { text: FORGET_MEMORIES, given: { rows: forgotten.map(rowOf) } };
}

export const FORGET_MEMORIES = `UNWIND $given.rows AS row
  MATCH (m:Subject {id: row.node.id}) USING INDEX SEEK m:Subject(id)
  WHERE coalesce(m.version, 0) < row.node.version
  WITH m, row, [label IN labels(m) WHERE label <> 'Subject'] AS formerLabels
  CALL (m) { MATCH (m)-[r]-() DELETE r }
  REMOVE m:$(formerLabels)
  SET m = row.node`;

function rowOf({ subject, version, revision, time }: Forgotten): Record<string, unknown> {
  return { node: { id: subject, version: int(version), revision: int(revision), deleted_at: time, locked: true } };
}
