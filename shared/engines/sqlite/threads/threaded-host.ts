/** Opens the database file with its threads: one writer, which first migrates the schema, and several readers. */
import { DependencyError } from '../../../kernel/errors.js';
import { withChildSpan } from '../../../kernel/tracing/tracing.js';
import type { Migrations, ProcedureName } from './database.js';
import type { SqliteHost } from './host.js';
import { openRestartedThread } from './restarted-thread.js';
import type { StartWorker, Thread } from './thread.js';
import { createWriteState, probeMigrations } from './write-state.js';

/** Longer than any source of a recall is waited for. */
const READ_WAIT_LIMIT_MS = 5_000;

export type SqliteHostOptions = {
  readonly file: string;
  readonly readers: number;
  readonly migrations: readonly Migrations[];
  /** A read that waited longer for its thread is rejected and never begins. */
  readonly readWaitLimitMs?: number;
  /**
   * Called when a thread ended by itself; its waiting calls are already rejected. It starts again.
   */
  readonly onThreadEnd?: (error: Error) => void;
  /** By default each thread is a worker of its own. */
  readonly startWorker?: StartWorker | undefined;
};

export async function createSqliteHost({
  file,
  readers,
  migrations,
  readWaitLimitMs = READ_WAIT_LIMIT_MS,
  onThreadEnd = () => undefined,
  startWorker: start,
}: SqliteHostOptions): Promise<SqliteHost> {
  const writer = await openRestartedThread(
    { role: 'writer', file, migrations: [...migrations, probeMigrations] },
    {
      onThreadEnd: (error) => {
        writes.failed(error);
        onThreadEnd(error);
      },
      waitLimitMs: Infinity,
      start,
    },
  );
  const writes = createWriteState((called, args) => writer.call(called, args));
  const readerThreads = new Set<Promise<Thread>>();
  let isClosed = false;

  const openReaderThread = (prepare?: (thread: Thread) => Promise<void>): Promise<Thread> => {
    const watch = { onThreadEnd, waitLimitMs: readWaitLimitMs, start };
    const opening = openRestartedThread({ role: 'reader', file }, watch, prepare);
    readerThreads.add(opening);
    opening.catch(() => readerThreads.delete(opening));
    return opening;
  };

  /**
   * Waits for readers that are still opening, and closes the writer last: SQLite merges its log into the database when
   * the last connection ends, and only the writer can write.
   */
  async function close(): Promise<void> {
    isClosed = true;
    const readers = await Promise.allSettled(readerThreads);
    await Promise.all(readers.map((reader) => (reader.status === 'fulfilled' ? reader.value.close() : undefined)));
    await writer.close();
  }

  const opened = await Promise.allSettled(Array.from({ length: Math.max(1, readers) }, () => openReaderThread()));
  const failed = opened.find((result) => result.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  const pool = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));

  return {
    write: (called, args) => traceCall('sqlite write', called, () => writes.watch(writer.call(called, args))),
    writeDerived: async (called, args) =>
      traceCall('sqlite write', called, () => writes.watch(writer.call(called, args, { isDerived: true }))),
    writable: writes.writable,
    read: async (called, args) => traceCall('sqlite read', called, () => leastBusy(pool).call(called, args)),
    openReader: async (name, prepare = () => Promise.resolve()) => {
      if (isClosed) throw new DependencyError('journal', `The database is closed: no reader can be opened for ${name}`);
      const readerOf =
        (thread: Thread): SqliteHost['read'] =>
        (called, args) =>
          traceCall('sqlite read', called, () => thread.call(called, args));
      const opening = openReaderThread((started) => prepare(readerOf(started)));
      const thread = await opening;
      return {
        read: readerOf(thread),
        close: async () => {
          readerThreads.delete(opening);
          await thread.close();
        },
      };
    },
    close,
  };
}

/** The span covers the wait for the thread and the work in it. */
function traceCall<T>(name: string, called: ProcedureName, work: () => T): T {
  const attributes = { 'db.system.name': 'sqlite', 'db.operation.name': called.name };
  return withChildSpan(name, { kind: 'client', attributes }, () => work());
}

/** Skips a thread that has ended, as long as another one is alive. */
function leastBusy(pool: readonly Thread[]): Thread {
  const load = (thread: Thread): number => (thread.isAlive() ? thread.pending() : Infinity);
  return pool.reduce((best, thread) => (load(thread) < load(best) ? thread : best));
}
