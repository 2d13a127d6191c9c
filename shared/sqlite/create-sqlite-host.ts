/** Opens the database file with its threads: one writer, which brings the schema up to date first, and readers beside it. */
import { DependencyError } from '../kernel/errors.js';
import type { Migrations } from './database.js';
import type { SqliteHost } from './host.js';
import { openThread, type Thread } from './thread.js';

export type SqliteHostOptions = {
  readonly file: string;
  readonly readers: number;
  readonly migrations: readonly Migrations[];
  /** Hears of a thread that ended by itself; what waited for it has been rejected. */
  readonly onThreadDeath?: (error: Error) => void;
};

export async function createSqliteHost({
  file,
  readers,
  migrations,
  onThreadDeath,
}: SqliteHostOptions): Promise<SqliteHost> {
  const died = onThreadDeath ?? (() => undefined);
  const writer = await openThread({ role: 'writer', file, migrations }, died);
  const readerThreads = new Set<Promise<Thread>>();
  let isClosed = false;

  const openReaderThread = (): Promise<Thread> => {
    const opening = openThread({ role: 'reader', file }, died);
    readerThreads.add(opening);
    opening.catch(() => readerThreads.delete(opening));
    return opening;
  };

  /** SQLite folds its log into the database when the last connection goes, and only the writer may do that. What is just opening is waited for. */
  async function close(): Promise<void> {
    isClosed = true;
    const readers = await Promise.allSettled(readerThreads);
    await Promise.all(readers.map((reader) => (reader.status === 'fulfilled' ? reader.value.close() : undefined)));
    await writer.close();
  }

  const opened = await Promise.allSettled(Array.from({ length: Math.max(1, readers) }, openReaderThread));
  const failed = opened.find((result) => result.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  const pool = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));

  return {
    write: (called, args) => writer.call(called, args),
    read: async (called, args) => leastBusy(pool).call(called, args),
    openReader: async (name) => {
      if (isClosed) throw new DependencyError('journal', `The database is closed: no reader can be opened for ${name}`);
      const thread = await openReaderThread();
      return { read: (called, args) => thread.call(called, args) };
    },
    close,
  };
}

/** A thread that has ended is passed over while another lives. */
function leastBusy(pool: readonly Thread[]): Thread {
  const load = (thread: Thread): number => (thread.isAlive() ? thread.pending() : Infinity);
  return pool.reduce((best, thread) => (load(thread) < load(best) ? thread : best));
}
