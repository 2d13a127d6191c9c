/**
 * A journal with its graph, in both compositions, the accidents that happen to such a pair, and the replay that repairs
 * it.
 */
import type { JournalMark } from '../../../shared/contract/envelope.js';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import { createNeo4jGraphMark } from '../../../shared/engines/neo4j/neo4j-graph-mark.js';
import { createNeo4jGraphReader } from '../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../../../shared/engines/neo4j/neo4j-graph-writer.js';
import { ensureNeo4jSchema } from '../../../shared/engines/neo4j/schema/schema.js';
import { createPostgresJournal } from '../../../shared/engines/postgres/journal/postgres-journal.js';
import { createPostgresJournalIdentity } from '../../../shared/engines/postgres/journal/postgres-journal-identity.js';
import { createSqliteGraphMark } from '../../../shared/engines/sqlite/graph/sqlite-graph-mark.js';
import { createSqliteGraphReader } from '../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteGraphWriter } from '../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { createSqliteJournal } from '../../../shared/engines/sqlite/journal/sqlite-journal.js';
import { createSqliteJournalIdentity } from '../../../shared/engines/sqlite/journal/sqlite-journal-identity.js';
import { graphMigrations } from '../../../shared/engines/sqlite/schema/graph.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { procedure } from '../../../shared/engines/sqlite/threads/host.js';
import { type GraphReplay, replayGraph, type ReplayResult } from '../../../shared/integrity/replay/replay-graph.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { GraphMark, MarkMemory } from '../../../shared/ports/graph-mark.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import type { JournalIdentity } from '../../../shared/ports/journal-identity.js';
import { openEmptyNeo4j, wipeNeo4j } from '../servers/neo4j.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { isServerWanted } from '../servers/servers.js';
import { appendEvents, appendToPostgres } from './journals.js';
import { openTemporaryHost } from './sqlite.js';

export type MarkedGraph = {
  readonly journal: JournalIdentity;
  readonly graph: GraphMark;
  readonly reader: GraphReader;
  readonly events: JournalReader;
  /** Of the process that commits. */
  readonly memory: MarkMemory;
  /** Applies to the graph without the journal. */
  readonly apply: (events: readonly RecordedEvent[]) => Promise<void>;
  /** As a replay applies. */
  readonly applyReplayed: MarkedGraph['apply'];
  /** Creates the schema of the graph. */
  readonly prepare: () => Promise<void>;
  readonly replay: (overrides?: Partial<GraphReplay>) => Promise<ReplayResult>;
  /** Appends to the journal and applies to the graph. */
  readonly commit: (events: readonly NewEvent[]) => Promise<readonly RecordedEvent[]>;
  /** Appends to the journal alone. */
  readonly append: (events: readonly NewEvent[]) => Promise<readonly RecordedEvent[]>;
  /** Applies as another process, which moves another node of the mark. */
  readonly otherWriter: MarkedGraph['apply'];
  /** Applies as another process, which moves the same node of the mark. */
  readonly writerOfSameNode: MarkedGraph['apply'];
  /** Removes the events after this position from the journal. */
  readonly cutJournal: (position: number) => Promise<void>;
  readonly emptyGraph: () => Promise<void>;
  /** Leaves the memories as a release stored them that kept no positions. */
  readonly forgetPositions: () => Promise<void>;
  /** Gives the graph the mark of an earlier copy of it. */
  readonly putMark: (mark: JournalMark) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Adapter = {
  readonly name: string;
  /** Several processes write to the graph. */
  readonly isShared: boolean;
  readonly open: () => Promise<MarkedGraph>;
};

export const MARKED_GRAPHS: readonly Adapter[] = [
  { name: 'sqlite', isShared: false, open: openSqlite },
  ...(isServerWanted('postgres') && isServerWanted('neo4j')
    ? [{ name: 'postgres and neo4j', isShared: true, open: openServers }]
    : []),
];

async function openSqlite(): Promise<MarkedGraph> {
  const { host, remove } = await openTemporaryHost([journalMigrations, graphMigrations]);
  const graph = createSqliteGraphMark({ host });
  const { apply } = createSqliteGraphWriter({ host });
  const stores = {
    journal: createSqliteJournalIdentity({ host }),
    events: createSqliteJournal({ host }),
    graph,
    apply,
    applyReplayed: apply,
    prepare: () => Promise.resolve(),
  };
  return {
    ...stores,
    reader: createSqliteGraphReader({ host }),
    memory: { compare: () => () => null, expect: () => undefined, forget: () => undefined },
    replay: replayOver(stores),
    commit: async (events) => {
      const recorded = await host.write(appendEvents, events);
      await apply(recorded);
      return recorded;
    },
    append: (events) => host.write(appendEvents, events),
    otherWriter: apply,
    writerOfSameNode: apply,
    cutJournal: (position) => host.write(runSql, `DELETE FROM journal WHERE position > ${position}`),
    emptyGraph: () => host.write(runSql, EMPTY_SQLITE_GRAPH),
    forgetPositions: () => host.write(runSql, 'UPDATE memories SET position = n'),
    putMark: async (mark) => {
      await host.write(runSql, 'DELETE FROM graph_mark');
      await graph.begin(mark);
    },
    close: remove,
  };
}

export const EMPTY_SQLITE_GRAPH = `DELETE FROM memories; DELETE FROM memory_bodies; DELETE FROM memory_words; DELETE FROM memory_tags;
  DELETE FROM tag_order; DELETE FROM associations; DELETE FROM metadata_values; DELETE FROM metadata_words; DELETE FROM memory_counts;
  DELETE FROM deleted_hubs; UPDATE association_counts SET associations = 0; DELETE FROM graph_mark`;

type Stores = Pick<MarkedGraph, 'journal' | 'events' | 'graph' | 'applyReplayed' | 'prepare'>;

function replayOver({ journal, events, graph, applyReplayed: apply, prepare }: Stores): MarkedGraph['replay'] {
  return (overrides = {}) =>
    replayGraph({
      identity: journal,
      journal: events,
      graph: { ...graph, apply, prepare },
      eraseRest: () => Promise.resolve(false),
      signal: new AbortController().signal,
      ...overrides,
    });
}

export const runSql = procedure(import.meta.url, 'runSql', (database, text: string): void => database.exec(text));

async function openServers(): Promise<MarkedGraph> {
  const { postgres, remove } = await openTemporaryPostgres();
  const neo4j = await openEmptyNeo4j();
  const graph = createNeo4jGraphMark({ neo4j });
  const { apply, applyReplayed, markMemory: memory } = createNeo4jGraphWriter({ neo4j, markSlot: 0 });
  const stores = {
    journal: createPostgresJournalIdentity({ postgres }),
    events: createPostgresJournal({ postgres }),
    graph,
    apply,
    applyReplayed,
    prepare: () => ensureNeo4jSchema(neo4j),
  };
  return {
    ...stores,
    reader: createNeo4jGraphReader({ neo4j }),
    memory,
    replay: replayOver(stores),
    commit: async (given) => {
      const recorded = await appendToPostgres(postgres, given);
      await apply(recorded);
      await postgres.query('DELETE FROM outbox_pending');
      return recorded;
    },
    append: (events) => appendToPostgres(postgres, events),
    otherWriter: createNeo4jGraphWriter({ neo4j, markSlot: 1 }).apply,
    writerOfSameNode: createNeo4jGraphWriter({ neo4j, markSlot: 0 }).apply,
    cutJournal: async (position) => void (await postgres.query('DELETE FROM journal WHERE position > $1', [position])),
    emptyGraph: () => wipeNeo4j(neo4j),
    forgetPositions: async () => {
      await neo4j.write([{ text: 'MATCH (m:Memory) REMOVE m.position', given: {} }]);
    },
    putMark: async (mark) => {
      await neo4j.write([{ text: 'MATCH (v:GraphSchema) REMOVE v.journal_id', given: {} }]);
      await graph.begin(mark);
    },
    close: async () => {
      await neo4j.close();
      await remove();
    },
  };
}
