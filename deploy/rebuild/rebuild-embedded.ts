/** Rebuilds the graph in the data file of the embedded composition. The service must be stopped: one process has the folder at a time. */
import { eraseRest } from '../../shared/commit/sqlite/erase-memory.js';
import { createSqliteGraphMark } from '../../shared/graph/sqlite/sqlite-graph-mark.js';
import { createSqliteGraphWriter } from '../../shared/graph/sqlite/sqlite-graph-writer.js';
import { replayGraph } from '../../shared/journal/replay/replay-graph.js';
import { createSqliteJournal } from '../../shared/journal/sqlite/sqlite-journal.js';
import { createSqliteJournalIdentity } from '../../shared/journal/sqlite/sqlite-journal-identity.js';
import { createResources } from '../../shared/kernel/concurrency/resources.js';
import { lockDataFolder } from '../../shared/sqlite/lock-data-folder.js';
import { createSqliteHost } from '../../shared/sqlite/threaded-host.js';
import { existingDataFile } from '../embedded/existing-data-file.js';
import { MIGRATIONS } from '../embedded/open-engines.js';
import type { Rebuild } from './rebuild-options.js';

export const rebuildEmbedded: Rebuild = async ({ environment, logger, onProgress, signal }) => {
  const { folder, file } = existingDataFile(environment);
  const resources = createResources();
  try {
    resources.add(lockDataFolder(folder), (lock) => lock.release());
    const opened = await createSqliteHost({
      file,
      readers: 1,
      migrations: MIGRATIONS,
      onThreadEnd: (err) => logger.error({ err }, 'database thread ended'),
    });
    const host = resources.add(opened, (open) => open.close());
    return await replayGraph({
      journal: createSqliteJournal({ host }),
      identity: createSqliteJournalIdentity({ host }),
      graph: {
        ...createSqliteGraphMark({ host }),
        apply: createSqliteGraphWriter({ host }).apply,
        prepare: () => Promise.resolve(), // the migrations are done
      },
      eraseRest: () => host.write(eraseRest, null),
      onProgress,
      signal,
    });
  } finally {
    await resources.close();
  }
};
