/** Writes to the graph in Neo4j: events that the committer has committed, and `last_accessed` after reads. */
import type { RecordedEvent } from '../../contract/events.js';
import type { MemoryId, Timestamp } from '../../contract/memory.js';
import type { GraphWriter } from '../../ports/graph.js';
import type { MarkMemory } from '../../ports/graph-mark.js';
import { requireKnownEvents } from '../../ports/known-events.js';
import { applyStatements } from './applying/apply-events.js';
import { clearDeleted, clearDeletedHub } from './applying/clear-hub.js';
import type { Neo4j, Statement } from './neo4j.js';
import { createMarkMover } from './neo4j-graph-mark.js';

/** A transaction of a thousand memories is small for the server; more events become several transactions. */
const EVENTS_A_TRANSACTION = 1_000;
const CHARACTERS_A_TRANSACTION = 4_000_000;

export type Neo4jGraphWriter = GraphWriter & {
  /** As `apply`, for a replay, which alone moves the mark of a graph that was put back. */
  readonly applyReplayed: GraphWriter['apply'];
  readonly markMemory: MarkMemory;
};

/** `markSlot`: the first node of the mark that this process moves; a random one by default. */
export function createNeo4jGraphWriter({
  neo4j,
  markSlot,
}: {
  readonly neo4j: Pick<Neo4j, 'read' | 'write'>;
  readonly markSlot?: number;
}): Neo4jGraphWriter {
  const mark = createMarkMover(markSlot);

  function applyAs(isReplay: boolean): GraphWriter['apply'] {
    return async (events, limits) => {
      requireKnownEvents(events);
      for (const group of groups(events)) {
        const [first] = group;
        // Otherwise a deleted hub would return with the associations that are not removed yet.
        if (first && mayReturn(first)) await clearDeleted(neo4j, first.subject as MemoryId);
        const { position, id } = lastOf(group);
        await mark.advance({ position, id, isReplay }, (statement) =>
          neo4j.write([...applyStatements(group), statement], limits),
        );
      }
    };
  }

  return {
    apply: applyAs(false),
    applyReplayed: applyAs(true),
    clearHub: () => clearDeletedHub(neo4j),
    recordAccess: async (ids, at) => {
      if (ids.length > 0) await neo4j.write([recordAccesses(ids, at)]);
    },
    markMemory: mark,
  };
}

function* groups(events: readonly RecordedEvent[]): Generator<readonly RecordedEvent[]> {
  let from = 0;
  let characters = 0;
  for (const [index, event] of events.entries()) {
    characters += lengthOf(event);
    const isFull = index - from === EVENTS_A_TRANSACTION || characters > CHARACTERS_A_TRANSACTION;
    if (index > from && (isFull || mayReturn(event))) {
      yield events.slice(from, index);
      from = index;
      characters = lengthOf(event);
    }
  }
  if (from < events.length) yield events.slice(from);
}

/** Only a memory that was deleted before is stored as a later version. */
function mayReturn({ type, version }: RecordedEvent): boolean {
  return type === 'memory.stored' && version > 1;
}

/** The event with the highest position. A group has at least one event. */
function lastOf(group: readonly RecordedEvent[]): RecordedEvent {
  return group.reduce((last, event) => (event.position > last.position ? event : last));
}

function lengthOf({ data }: RecordedEvent): number {
  return JSON.stringify(data).length;
}

function recordAccesses(ids: readonly MemoryId[], at: Timestamp): Statement {
  return { text: RECORD_ACCESS, given: { ids: [...new Set(ids)].sort(), at } };
}

/**
 * Takes locks in the order of ids, like every write, and before the comparison, so that the later of two concurrent
 * accesses wins.
 */
export const RECORD_ACCESS = `UNWIND $given.ids AS id
  MATCH (m:Subject {id: id}) USING INDEX SEEK m:Subject(id) WHERE m:Memory
  SET m.locked = true
  WITH m WHERE m.last_accessed < $given.at
  SET m.last_accessed = $given.at`;
