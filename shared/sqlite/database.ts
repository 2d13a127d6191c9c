/** What a procedure sees of the database: prepared statements, and a place for state that lives as long as its thread. */

/** Text, numbers, blobs and null. Booleans are 0 and 1. */
export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Record<string, SqlValue>;

export interface Database {
  /** All rows. Statements are prepared once and kept. Blobs come back as Uint8Array. */
  all(sql: string, params?: readonly SqlValue[]): SqlRow[];
  get(sql: string, params?: readonly SqlValue[]): SqlRow | undefined;
  run(sql: string, params?: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number };
  /** Several statements without parameters. */
  exec(sql: string): void;
  /** Runs `work` in a savepoint: a throw undoes only what it did, and goes on to the caller. */
  savepoint<R>(work: () => R): R;
  /** State of this thread, for engines beside the database; keyed by the room that owns it. */
  readonly state: Map<string, unknown>;
}

/** Numbered steps of one room's schema; a step once released is never changed. Step i brings the room to version i + 1. */
export type Migrations = { readonly room: string; readonly steps: readonly MigrationStep[] };

/** Statements, or the name of a procedure without arguments for what statements cannot do. */
export type MigrationStep = string | ProcedureName;
export type ProcedureName = { readonly url: string; readonly name: string };
