/** Notes that memories were read. */
import type { MemoryId, Timestamp } from '../../contract/memory.js';
import type { Statement } from './neo4j.js';

export function touchMemories(ids: readonly MemoryId[], at: Timestamp): Statement {
  return { text: TOUCH, given: { ids: [...new Set(ids)].sort(), at } };
}

/** Locked in the order of ids, as everywhere, and before the comparison: of two at once the later time must stay. */
export const TOUCH = `UNWIND $given.ids AS id
  MATCH (m:Subject {id: id}) USING INDEX SEEK m:Subject(id) WHERE m:Memory
  SET m.locked = true
  WITH m WHERE m.last_accessed < $given.at
  SET m.last_accessed = $given.at`;
