/** Writes to the graph: what the committer has made certain, and the telemetry of reads. */
import type { RecordedEvent } from '../../contract/events.js';
import type { GraphWriter } from '../graph.js';
import { applyStatements } from './apply-events.js';
import type { Neo4j } from './neo4j.js';
import { touchMemories } from './touch.js';

/** A transaction with all that a thousand memories hold stays small to the server; more events become several. */
const EVENTS_A_TRANSACTION = 1_000;
const CHARACTERS_A_TRANSACTION = 4_000_000;

export function createNeo4jGraphWriter({ neo4j }: { readonly neo4j: Pick<Neo4j, 'write'> }): GraphWriter {
  return {
    async apply(events) {
      for (const group of groups(events)) {
        const statements = applyStatements(group);
        if (statements.length > 0) await neo4j.write(statements);
      }
    },
    touch: async (ids, at) => {
      if (ids.length > 0) await neo4j.write([touchMemories(ids, at)]);
    },
  };
}

function* groups(events: readonly RecordedEvent[]): Generator<readonly RecordedEvent[]> {
  let from = 0;
  let characters = 0;
  for (const [index, event] of events.entries()) {
    characters += lengthOf(event);
    if (index > from && (index - from === EVENTS_A_TRANSACTION || characters > CHARACTERS_A_TRANSACTION)) {
      yield events.slice(from, index);
      from = index;
      characters = lengthOf(event);
    }
  }
  if (from < events.length) yield events.slice(from);
}

function lengthOf({ data }: RecordedEvent): number {
  return JSON.stringify(data).length;
}
