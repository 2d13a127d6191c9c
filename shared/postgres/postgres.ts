/**
 * The one Postgres host: a bounded pool with a limit on every wait, transactions whose end is known or said to be unknown, and sessions
 * of their own for what outlives a statement. Adapters hand it statements and get rows; `pg` is imported nowhere else.
 */
import type { Migrations } from './migrations.js';

export type Row = Readonly<Record<string, unknown>>;

/** `count`: rows returned or changed. `bigint` comes as a number, `bytea` as a Buffer, `timestamptz` as a Date. */
export type Result<R> = { readonly rows: readonly R[]; readonly count: number };

/** Prepared once for each connection under its name. Make it with `statement`. */
export type Statement = { readonly name: string; readonly text: string };

/**
 * A prepared statement over the tables of these migrations. Their version is part of the name: statements keep the types that columns
 * had when they were prepared, and behind a pooler the next version of a program may meet what an earlier one prepared.
 */
export function statement({ room, steps }: Migrations, name: string, text: string): Statement {
  return { name: `${room}_${steps.length}_${name}`, text };
}

export interface Queryable {
  /** Plain text is not prepared and, without parameters, may hold several statements; the result is that of the last one. */
  query<R extends Row = Row>(statement: Statement | string, params?: readonly unknown[]): Promise<Result<R>>;
}

export type TransactionOptions = {
  /** What each statement, and each wait for a lock, may take instead of the usual limits. */
  readonly timeoutMs?: number;
};

/** A connection of one's own: for LISTEN and for advisory locks that outlive a transaction. */
export interface Session extends Queryable {
  /** Aborted when the connection is lost or closed, and with it its locks and what it listened to. A statement without an answer loses it too. */
  readonly lost: AbortSignal;
  /** Calls `wake` for every notification on this channel. */
  listen(channel: string, wake: () => void): Promise<void>;
  close(): Promise<void>;
}

/** Errors: DependencyError('journal') where trying again may help, ConfigurationError where it cannot; anything else is a bug in a statement. */
export interface Postgres extends Queryable {
  /**
   * BEGIN, the work, COMMIT, on one connection; rolled back when the work throws. DependencyError is `outcomeUnknown` when the answer to
   * COMMIT was lost; in every other case nothing was committed.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>;
  session(): Promise<Session>;
  /** Lets running statements finish for as long as one may take, then cuts every connection. */
  close(): Promise<void>;
}
