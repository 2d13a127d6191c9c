/** All ports that projectors use, over one temporary embedded database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexMarks } from '../../../projectors/vector-indexer/marked-indexer.js';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import type { EmbeddingCache } from '../../../shared/embedding/embedder.js';
import { embeddingCacheMigrations } from '../../../shared/embedding/sqlite/migrations.js';
import { createSqliteEmbeddingCache } from '../../../shared/embedding/sqlite/sqlite-embedding-cache.js';
import type { GraphReader, GraphWriter } from '../../../shared/graph/graph.js';
import type { GraphScan } from '../../../shared/graph/graph-scan.js';
import { graphMigrations } from '../../../shared/graph/sqlite/schema/migrations.js';
import { createSqliteGraphReader } from '../../../shared/graph/sqlite/sqlite-graph-reader.js';
import { createSqliteGraphScan } from '../../../shared/graph/sqlite/sqlite-graph-scan.js';
import { createSqliteGraphWriter } from '../../../shared/graph/sqlite/sqlite-graph-writer.js';
import type { DeadLetters, JournalReader, ProjectorStates } from '../../../shared/journal/journal.js';
import { appendEvent } from '../../../shared/journal/sqlite/event-rows.js';
import { journalMigrations } from '../../../shared/journal/sqlite/migrations.js';
import { createSqliteDeadLetters } from '../../../shared/journal/sqlite/sqlite-dead-letters.js';
import { createSqliteJournal } from '../../../shared/journal/sqlite/sqlite-journal.js';
import { createSqliteJournalIdentity } from '../../../shared/journal/sqlite/sqlite-journal-identity.js';
import { createSqliteProjectorStates } from '../../../shared/journal/sqlite/sqlite-projector-states.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { createLocalMaintenanceLock, type MaintenanceLock } from '../../../shared/maintenance/maintenance-lock.js';
import { procedure } from '../../../shared/sqlite/host.js';
import { createSqliteHost } from '../../../shared/sqlite/threaded-host.js';
import { createJournalStream, type JournalStream } from '../../../shared/stream/journal/journal-stream.js';
import { streamMigrations } from '../../../shared/stream/journal/migrations.js';
import { createEmbeddedIndexMark } from '../../../shared/vectors/embedded/embedded-index-mark.js';
import { createEmbeddedVectorIndex } from '../../../shared/vectors/embedded/embedded-vector-index.js';
import { createEmbeddedVectorIndexes } from '../../../shared/vectors/embedded/embedded-vector-indexes.js';
import { vectorMigrations } from '../../../shared/vectors/embedded/migrations.js';
import { spaceMigrations } from '../../../shared/vectors/spaces/sqlite/migrations.js';
import { createSqliteVectorSpaces } from '../../../shared/vectors/spaces/sqlite/sqlite-vector-spaces.js';
import type { VectorIndexes, VectorSpaces } from '../../../shared/vectors/spaces/vector-spaces.js';
import type { VectorIndexReader, VectorIndexWriter } from '../../../shared/vectors/vectors.js';
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
  readonly vectors: VectorIndexReader & VectorIndexWriter;
  readonly spaces: VectorSpaces;
  readonly indexes: VectorIndexes;
  readonly indexMarks: IndexMarks;
  readonly deadLetters: DeadLetters;
  readonly states: ProjectorStates;
  readonly close: () => Promise<void>;
};

export async function openProjections({ dimension }: { readonly dimension: number }): Promise<Projections> {
  const folder = await mkdtemp(join(tmpdir(), 'projections-'));
  const migrations = [
    journalMigrations,
    streamMigrations,
    graphMigrations,
    embeddingCacheMigrations,
    vectorMigrations,
    spaceMigrations,
  ];
  const host = await createSqliteHost({
    file: join(folder, 'test.db'),
    readers: 1,
    migrations,
    startWorker: serveInThread,
  });
  const journal = createSqliteJournal({ host });
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
    cache: createSqliteEmbeddingCache({ host }),
    vectors: await createEmbeddedVectorIndex({ host, dimension }),
    spaces: createSqliteVectorSpaces({ host }),
    indexes: createEmbeddedVectorIndexes({ host }),
    indexMarks: { journal: createSqliteJournalIdentity({ host }), index: createEmbeddedIndexMark({ host }) },
    deadLetters: createSqliteDeadLetters({ host }),
    states: createSqliteProjectorStates({ host }),
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
