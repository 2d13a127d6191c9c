/** A journal with its graph, in both compositions, and the accidents that happen to such a pair. */
import type { JournalMark } from '../../../shared/contract/envelope.js';
import type { NewEvent } from '../../../shared/contract/events.js';
import type { GraphMark } from '../../../shared/graph/graph-mark.js';
import { createNeo4jGraphMark } from '../../../shared/graph/neo4j/neo4j-graph-mark.js';
import { createNeo4jGraphWriter } from '../../../shared/graph/neo4j/neo4j-graph-writer.js';
import { graphMigrations } from '../../../shared/graph/sqlite/schema/migrations.js';
import { createSqliteGraphMark } from '../../../shared/graph/sqlite/sqlite-graph-mark.js';
import { createSqliteGraphWriter } from '../../../shared/graph/sqlite/sqlite-graph-writer.js';
import type { JournalIdentity } from '../../../shared/journal/journal-identity.js';
import { createPostgresJournalIdentity } from '../../../shared/journal/postgres/postgres-journal-identity.js';
import { journalMigrations } from '../../../shared/journal/sqlite/migrations.js';
import { createSqliteJournalIdentity } from '../../../shared/journal/sqlite/sqlite-journal-identity.js';
import { procedure } from '../../../shared/sqlite/host.js';
import { openEmptyNeo4j, wipeNeo4j } from '../servers/neo4j.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { isServerWanted } from '../servers/servers.js';
import { appendEvents, appendToPostgres } from './journals.js';
import { openTemporaryHost } from './sqlite.js';

export type MarkedGraph = {
  readonly journal: JournalIdentity;
  readonly graph: GraphMark;
  /** Appends to the journal and applies to the graph. */
  readonly commit: (events: readonly NewEvent[]) => Promise<void>;
  /** Removes the events after this position from the journal. */
  readonly cutJournal: (position: number) => Promise<void>;
  readonly emptyGraph: () => Promise<void>;
  /** Gives the graph the mark of an earlier copy of it. */
  readonly putMark: (mark: JournalMark) => Promise<void>;
  readonly close: () => Promise<void>;
};

export const MARKED_GRAPHS: readonly { readonly name: string; readonly open: () => Promise<MarkedGraph> }[] = [
  { name: 'sqlite', open: openSqlite },
  ...(isServerWanted('postgres') && isServerWanted('neo4j') ? [{ name: 'postgres and neo4j', open: openServers }] : []),
];

async function openSqlite(): Promise<MarkedGraph> {
  const { host, remove } = await openTemporaryHost([journalMigrations, graphMigrations]);
  const graph = createSqliteGraphMark({ host });
  return {
    journal: createSqliteJournalIdentity({ host }),
    graph,
    commit: async (events) => createSqliteGraphWriter({ host }).apply(await host.write(appendEvents, events)),
    cutJournal: (position) => host.write(runSql, `DELETE FROM journal WHERE position > ${position}`),
    emptyGraph: () => host.write(runSql, 'DELETE FROM memories; DELETE FROM graph_mark'),
    putMark: async (mark) => {
      await host.write(runSql, 'DELETE FROM graph_mark');
      await graph.begin(mark);
    },
    close: remove,
  };
}

export const runSql = procedure(import.meta.url, 'runSql', (database, text: string): void => database.exec(text));

async function openServers(): Promise<MarkedGraph> {
  const { postgres, remove } = await openTemporaryPostgres();
  const neo4j = await openEmptyNeo4j();
  const graph = createNeo4jGraphMark({ neo4j });
  const writer = createNeo4jGraphWriter({ neo4j });
  return {
    journal: createPostgresJournalIdentity({ postgres }),
    graph,
    commit: async (events) => {
      await writer.apply(await appendToPostgres(postgres, events));
      await postgres.query('DELETE FROM outbox_pending');
    },
    cutJournal: async (position) => void (await postgres.query('DELETE FROM journal WHERE position > $1', [position])),
    emptyGraph: () => wipeNeo4j(neo4j),
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
