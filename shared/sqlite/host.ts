/**
 * The one SQLite host: a writer thread that owns every write and every checkpoint, reader threads with `query_only`, and threads of
 * their own for engines that keep state beside the database (the vector scan). Adapters hand it procedures, not statements: a
 * procedure runs next to the database, so a read or a commit costs one round trip.
 */
import type { Database, ProcedureName } from './database.js';

/**
 * A function that runs inside a database thread. `url` is the module that exports it under exactly `name`; the thread imports that
 * module, so it must have no side effects. Arguments and results are structured clones. Writes run in one IMMEDIATE transaction.
 */
export type Procedure<A, R> = ProcedureName & { readonly run: (database: Database, args: A) => R };

/** Defines a procedure: `export const countRows = procedure(import.meta.url, 'countRows', (database, args: {...}) => ...)`. */
export function procedure<A, R>(url: string, name: string, run: (database: Database, args: A) => R): Procedure<A, R> {
  return { url, name, run };
}

export interface SqliteHost {
  /** Runs in the writer thread in one transaction, durable (`synchronous=FULL`) when it resolves; a throw rolls it back. */
  write<A, R>(called: Procedure<A, R>, args: A): Promise<R>;
  /** Runs in one of the reader threads, on a snapshot that includes every write that has resolved. */
  read<A, R>(called: Procedure<A, R>, args: A): Promise<R>;
  /** A reader thread of one's own, for procedures that keep state in `database.state`. Closed with the host. */
  openReader(name: string): Promise<Pick<SqliteHost, 'read'>>;
  close(): Promise<void>;
}
