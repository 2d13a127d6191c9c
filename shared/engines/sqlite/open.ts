/** Opens the data file of the embedded composition and gives each port that SQLite implements. */
import { join } from 'node:path';
import { type Clock, systemClock } from '../../kernel/clock.js';
import type { Resources } from '../../kernel/concurrency/resources.js';
import { DependencyError, messageOf } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import { createPrivateFile } from '../../kernel/private-files.js';
import { eraseRest } from './commit/erase-memory.js';
import { createSqliteCommitter, type SqliteCommitterDeps } from './commit/sqlite-committer.js';
import { createSqliteJournalLoader } from './commit/sqlite-journal-loader.js';
import { createWordThread } from './graph/searching/words/word-thread.js';
import { createSqliteGraphInspector } from './graph/sqlite-graph-inspector.js';
import { createSqliteGraphMark } from './graph/sqlite-graph-mark.js';
import { createSqliteGraphReader, createSqliteGraphStates } from './graph/sqlite-graph-reader.js';
import { createSqliteGraphScan } from './graph/sqlite-graph-scan.js';
import { createSqliteGraphWriter } from './graph/sqlite-graph-writer.js';
import { type AcknowledgedFile, openAcknowledgedFile } from './journal/acknowledged-file.js';
import { createSqliteJournal } from './journal/sqlite-journal.js';
import { createSqliteJournalIdentity } from './journal/sqlite-journal-identity.js';
import { sqliteRecords } from './records/sqlite-records.js';
import { SQLITE_SCHEMA } from './schema/schema.js';
import { createJournalStream } from './stream/journal-stream.js';
import type { SqliteHost } from './threads/host.js';
import { lockDataFolder } from './threads/lock-data-folder.js';
import { openDatabase } from './threads/open-database.js';
import { openReadingHost } from './threads/reading-host.js';
import type { StartWorker } from './threads/thread.js';
import { createSqliteHost } from './threads/threaded-host.js';
import { createEmbeddedIndexMark } from './vectors/embedded-index-mark.js';
import { createEmbeddedVectorIndexes } from './vectors/embedded-vector-indexes.js';
import { createEmbeddedPointReader } from './vectors/read-points.js';

export const DATA_FILE = 'palimpsest.db';
const ACKNOWLEDGED_FILE = 'acknowledged';

export type SqlitePorts = ReturnType<typeof sqlitePorts>;

/** The ports over one file. Making them calls nothing; `openGraph` loads the word index. */
function sqlitePorts(host: SqliteHost, clock: Clock, acknowledged?: AcknowledgedFile) {
  const journal = createSqliteJournal({ host, clock });
  const identity = createSqliteJournalIdentity({ host });
  const words = createWordThread({ host });
  return {
    journal,
    identity: {
      ...identity,
      beginHistory: async () => {
        acknowledged?.clear();
        await identity.beginHistory();
      },
    },
    loader: createSqliteJournalLoader({ host }),
    ...sqliteRecords(host, clock),
    openGraph: () => createSqliteGraphReader({ host, words }),
    /** Resolves when the word index of that graph is loaded. */
    wordsLoaded: () => words.load(),
    graphStates: createSqliteGraphStates({ host }),
    graphWriter: createSqliteGraphWriter({ host }),
    graphMark: createSqliteGraphMark({ host }),
    graphScan: createSqliteGraphScan({ host }),
    inspector: createSqliteGraphInspector({ host, words }),
    indexes: createEmbeddedVectorIndexes({ host }),
    indexMark: createEmbeddedIndexMark({ host }),
    /** `space`: the number of a vector space. */
    pointReader: (space: number) => createEmbeddedPointReader({ host, space }),
    createStream: (logger: Logger) => createJournalStream({ host, journal, logger }),
    createCommitter: (options: Omit<SqliteCommitterDeps, 'host' | 'clock' | 'acknowledged'>) =>
      createSqliteCommitter({ host, clock, acknowledged, ...options }),
    /** Erases what an interrupted erasure of contents has left. */
    eraseRest: () => host.write(eraseRest, null),
    writable: () => host.writable(),
  };
}

/**
 * Writes the data file again without its unused space, which may have words of deleted rows: `secure_delete`
 * overwrites a row where it is, not where it was before it moved to another page. The caller has the folder. Throws
 * DependencyError without as much free disk as the file has.
 */
export function compactDataFile(dataFolder: string): void {
  const database = openDatabase(join(dataFolder, DATA_FILE), { busyTimeoutMs: COMPACT_WAIT_MS });
  try {
    database.exec('VACUUM');
    database.all('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (cause) {
    const remedy = 'free as much disk as the file has, and run the command again';
    throw new DependencyError('journal', `${DATA_FILE} keeps its unused space: ${remedy} (${messageOf(cause)})`, {
      cause,
    });
  } finally {
    database.close();
  }
}

const COMPACT_WAIT_MS = 30_000;

/**
 * Creates or migrates the data file. Throws RuleError while another process has the folder, and for a file of a newer
 * release.
 */
export async function openSqlite({
  dataFolder,
  readers = 1,
  clock = systemClock,
  startWorker,
  logger,
  resources,
}: {
  readonly dataFolder: string;
  /** Threads that read. */
  readonly readers?: number;
  readonly clock?: Clock;
  readonly startWorker?: StartWorker | undefined;
  readonly logger: Logger;
  readonly resources: Resources;
}): Promise<SqlitePorts> {
  resources.add(lockDataFolder(dataFolder), (lock) => lock.release());
  const file = join(dataFolder, DATA_FILE);
  createPrivateFile(file); // SQLite gives the files next to it, such as the write-ahead log, the same mode
  const host = await createSqliteHost({
    file,
    readers,
    migrations: SQLITE_SCHEMA,
    startWorker,
    onThreadEnd: (err) => logger.error({ err }, 'database thread ended'),
  });
  resources.add(host, (opened) => opened.close());
  const acknowledged = openAcknowledgedFile(join(dataFolder, ACKNOWLEDGED_FILE), logger);
  resources.add(acknowledged, (opened) => opened.close());
  const ports = sqlitePorts(host, clock, acknowledged);
  const last = acknowledged.read();
  if (last !== null && (await ports.identity.eventIdsAt([last.position])).get(last.position) !== last.eventId)
    await ports.identity.saveLost({ ...last, journalId: null });
  return ports;
}

/** Opens an existing data file for reading, also while the service has it. */
export async function openSqliteForReading(file: string, resources: Resources): Promise<SqlitePorts> {
  return sqlitePorts(
    resources.add(await openReadingHost(file), (opened) => opened.close()),
    systemClock,
  );
}
