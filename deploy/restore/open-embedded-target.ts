/** Opens the empty data folder of a stopped embedded service for a restore. */
import { join } from 'node:path';
import { eraseRest } from '../../shared/commit/sqlite/erase-memory.js';
import { createSqliteJournalLoader } from '../../shared/commit/sqlite/sqlite-journal-loader.js';
import { createSqliteEmbeddingCache } from '../../shared/embedding/sqlite/sqlite-embedding-cache.js';
import { createSqliteGraphMark } from '../../shared/graph/sqlite/sqlite-graph-mark.js';
import { createSqliteGraphWriter } from '../../shared/graph/sqlite/sqlite-graph-writer.js';
import { createSqliteJournal } from '../../shared/journal/sqlite/sqlite-journal.js';
import { createSqliteJournalIdentity } from '../../shared/journal/sqlite/sqlite-journal-identity.js';
import type { Resources } from '../../shared/kernel/concurrency/resources.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { lockDataFolder } from '../../shared/sqlite/lock-data-folder.js';
import { createSqliteHost } from '../../shared/sqlite/threaded-host.js';
import { createEmbeddedIndexMark } from '../../shared/vectors/embedded/embedded-index-mark.js';
import { DATA_FILE, MIGRATIONS } from '../embedded/open-engines.js';
import type { RestoreTarget } from './restore-archive.js';

export async function openEmbeddedTarget({
  dataFolder,
  logger,
  resources,
}: {
  readonly dataFolder: string;
  readonly logger: Logger;
  readonly resources: Resources;
}): Promise<RestoreTarget> {
  resources.add(lockDataFolder(dataFolder), (lock) => lock.release());
  const database = await createSqliteHost({
    file: join(dataFolder, DATA_FILE),
    readers: 1,
    migrations: MIGRATIONS,
    onThreadEnd: (err) => logger.error({ err }, 'database thread ended'),
  });
  const host = resources.add(database, (open) => open.close());
  const { apply } = createSqliteGraphWriter({ host });
  return {
    journal: createSqliteJournal({ host }),
    identity: createSqliteJournalIdentity({ host }),
    graph: { ...createSqliteGraphMark({ host }), apply, prepare: () => Promise.resolve() },
    index: createEmbeddedIndexMark({ host }),
    loader: createSqliteJournalLoader({ host }),
    cache: createSqliteEmbeddingCache({ host }),
    eraseRest: () => host.write(eraseRest, null),
  };
}
