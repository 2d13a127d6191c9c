/** The database as a procedure sees it: prepared statements, and state that lives as long as the thread. */

/** Text, numbers, blobs and null. Booleans are 0 and 1. */
export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Record<string, SqlValue>;

export interface Database {
  /** Returns all rows. Statements are prepared once and cached. Blobs are Uint8Array. */
  all(sql: string, params?: readonly SqlValue[]): SqlRow[];
  get(sql: string, params?: readonly SqlValue[]): SqlRow | undefined;
  run(sql: string, params?: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number };
  /** Runs several statements without parameters. */
  exec(sql: string): void;
  /** Runs `work` in a savepoint. A throw rolls back only `work` and reaches the caller. */
  savepoint<R>(work: () => R): R;
  /** State of this thread, for engines outside the database. The key is the component that owns the state. */
  readonly state: Map<string, unknown>;
}

/**
 * The schema of one component as numbered steps: step i brings it from version i to i + 1. A released step never
 * changes.
 */
export type Migrations = { readonly component: string; readonly steps: readonly MigrationStep[] };

/** Statements, or the name of a procedure without arguments for work that statements cannot do. */
export type MigrationStep = string | ProcedureName;
export type ProcedureName = { readonly url: string; readonly name: string };
