/** All ports that projectors use, over one temporary embedded database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalMaintenanceLock } from '../../../deploy/embedded/local-maintenance-lock.js';
import type { IndexMarks } from '../../../projectors/vector-indexer/marked-indexer.js';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import { createSqliteGraphReader } from '../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteGraphScan } from '../../../shared/engines/sqlite/graph/sqlite-graph-scan.js';
import { createSqliteGraphWriter } from '../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { appendEvent } from '../../../shared/engines/sqlite/journal/event-rows.js';
import { createSqliteJournal } from '../../../shared/engines/sqlite/journal/sqlite-journal.js';
import { createSqliteJournalIdentity } from '../../../shared/engines/sqlite/journal/sqlite-journal-identity.js';
import { sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { commitMigrations } from '../../../shared/engines/sqlite/schema/commit.js';
import { graphMigrations } from '../../../shared/engines/sqlite/schema/graph.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import {
  embeddingCacheMigrations,
  spaceMigrations,
  streamMigrations,
  vectorMigrations,
  webhooksMigrations,
} from '../../../shared/engines/sqlite/schema/schema.js';
import { createJournalStream, type JournalStream } from '../../../shared/engines/sqlite/stream/journal-stream.js';
import { procedure } from '../../../shared/engines/sqlite/threads/host.js';
import { createSqliteHost } from '../../../shared/engines/sqlite/threads/threaded-host.js';
import { createEmbeddedIndexMark } from '../../../shared/engines/sqlite/vectors/embedded-index-mark.js';
import { createEmbeddedVectorIndex } from '../../../shared/engines/sqlite/vectors/embedded-vector-index.js';
import { createEmbeddedVectorIndexes } from '../../../shared/engines/sqlite/vectors/embedded-vector-indexes.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { EmbeddingCache, EmbeddingUses } from '../../../shared/ports/embedder.js';
import type { GraphReader, GraphWriter } from '../../../shared/ports/graph.js';
import type { GraphScan } from '../../../shared/ports/graph-scan.js';
import type { DeadLetters, JournalReader, ProjectorStates } from '../../../shared/ports/journal.js';
import type { MaintenanceLock } from '../../../shared/ports/maintenance-lock.js';
import type { VectorIndexes, VectorSpaces } from '../../../shared/ports/vector-spaces.js';
import type { VectorIndexReader, VectorIndexWriter } from '../../../shared/ports/vectors.js';
import type { Webhooks } from '../../../shared/ports/webhooks.js';
import { serveInThread } from './sqlite-in-thread.js';

export type Projections = {
  readonly stream: JournalStream;
  /** Writes events to the journal and wakes the stream, as a commit does. */
  readonly append: (events: readonly RecordedEvent[]) => Promise<void>;
  readonly journal: JournalReader;
  readonly graph: GraphReader;
  readonly graphWriter: GraphWriter;
  readonly graphScan: GraphScan;
  readonly lock: MaintenanceLock;
  readonly cache: EmbeddingCache;
  readonly embeddingUses: EmbeddingUses;
  readonly vectors: VectorIndexReader & VectorIndexWriter;
  readonly spaces: VectorSpaces;
  readonly indexes: VectorIndexes;
  readonly indexMarks: IndexMarks;
  readonly deadLetters: DeadLetters;
  readonly states: ProjectorStates;
  readonly webhooks: Webhooks;
  readonly close: () => Promise<void>;
};

export async function openProjections({ dimension }: { readonly dimension: number }): Promise<Projections> {
  const folder = await mkdtemp(join(tmpdir(), 'projections-'));
  const migrations = [
    journalMigrations,
    commitMigrations,
    streamMigrations,
    graphMigrations,
    embeddingCacheMigrations,
    vectorMigrations,
    spaceMigrations,
    webhooksMigrations,
  ];
  const host = await createSqliteHost({
    file: join(folder, 'test.db'),
    readers: 1,
    migrations,
    startWorker: serveInThread,
  });
  const journal = createSqliteJournal({ host });
  const records = sqliteRecords(host);
  const stream = createJournalStream({ host, journal, logger: silentLogger });
  return {
    stream,
    journal,
    append: async (events) => {
      await host.write(appendAll, events);
      await stream.append(events);
    },
    graph: createSqliteGraphReader({ host }),
    graphWriter: createSqliteGraphWriter({ host }),
    graphScan: createSqliteGraphScan({ host }),
    lock: createLocalMaintenanceLock(),
    cache: records.cache,
    embeddingUses: records.embeddingUses,
    vectors: await createEmbeddedVectorIndex({ host, dimension }),
    spaces: records.spaces,
    indexes: createEmbeddedVectorIndexes({ host }),
    indexMarks: { journal: createSqliteJournalIdentity({ host }), index: createEmbeddedIndexMark({ host }) },
    deadLetters: records.deadLetters,
    states: records.projectorStates,
    webhooks: records.webhooks,
    close: async () => {
      await stream.close();
      await host.close();
      await rm(folder, { recursive: true });
    },
  };
}

export const appendAll = procedure(import.meta.url, 'appendAll', (database, events: readonly RecordedEvent[]): void => {
  for (const event of events) appendEvent(database, event as NewEvent, JSON.stringify(event.data)); // the data of these events is not erased
});
