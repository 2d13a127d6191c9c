/**
 * The port of the one SQLite host: a writer thread that does every write and every checkpoint, reader threads with
 * `query_only`, and separate threads for engines that keep state outside the database (the vector scan). Adapters pass
 * procedures, not statements: a procedure runs in the thread of the database, so a read or a commit costs one round
 * trip.
 */
import type { Database, ProcedureName } from './database.js';

/**
 * A function that runs inside a database thread. The module at `url` exports it under exactly `name`; the thread
 * imports this module, so the module must have no side effects. Arguments and results are structured clones. Writes run
 * in one IMMEDIATE transaction.
 */
export type Procedure<A, R> = ProcedureName & { readonly run: (database: Database, args: A) => R };

/**
 * Defines a procedure: `export const countRows = procedure(import.meta.url, 'countRows', (database, args: {...}) =>
 * ...)`.
 */
export function procedure<A, R>(url: string, name: string, run: (database: Database, args: A) => R): Procedure<A, R> {
  return { url, name, run };
}

export interface SqliteHost {
  /**
   * Runs in the writer thread in one transaction, which is durable (`synchronous=FULL`) when the promise resolves. A
   * throw rolls it back.
   */
  write<A, R>(called: Procedure<A, R>, args: A): Promise<R>;
  /**
   * As `write`, without a sync of its own: for what the journal makes again, and for what may be lost. A loss of power
   * takes the last of these writes, none before the last `write`, and never one without the later ones: they share the
   * write-ahead log. The end of a process takes none.
   */
  writeDerived<A, R>(called: Procedure<A, R>, args: A): Promise<R>;
  /**
   * Runs in one of the reader threads, on a snapshot that contains every resolved write. Throws DeadlineError for a
   * read that waited too long for its thread: it never begins.
   */
  read<A, R>(called: Procedure<A, R>, args: A): Promise<R>;
  /**
   * Opens a separate reader thread for procedures that keep state in `database.state`. Closed with the host, or before
   * it by `close`. When the thread ends by itself, it starts again with an empty state; `prepare` fills it each time,
   * before other calls.
   */
  openReader(
    name: string,
    prepare?: (read: SqliteHost['read']) => Promise<void>,
  ): Promise<Pick<SqliteHost, 'read' | 'close'>>;
  /**
   * Resolves while writes work. After a write that failed for a reason of the storage, it writes by itself and throws
   * DependencyError if that fails.
   */
  writable(): Promise<void>;
  close(): Promise<void>;
}
