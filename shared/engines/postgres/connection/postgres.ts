/**
 * The port of the one Postgres host: a bounded pool with a limit on every wait, transactions that report a known or an
 * unknown outcome, and separate sessions for locks and notifications. Adapters pass statements and get rows; only this
 * folder imports `pg`.
 */
export type Row = Readonly<Record<string, unknown>>;

/** `count`: rows returned or changed. A `bigint` becomes a number, a `bytea` a Buffer, a `timestamptz` a Date. */
export type Result<R> = { readonly rows: readonly R[]; readonly count: number };

/** The schema of one component: step i brings it from version i to i + 1. A released step never changes. */
export type Migrations = { readonly component: string; readonly steps: readonly string[] };

/** A statement that each connection prepares once, under its name. Make it with `statement`. */
export type Statement = { readonly name: string; readonly text: string };

/**
 * Makes a prepared statement over the tables of these migrations. The schema version is part of its name: a prepared
 * statement keeps the types of its columns, and behind a pooler a new version of the program may get a connection where
 * the old version prepared the statement.
 */
export function statement({ component, steps }: Migrations, name: string, text: string): Statement {
  return { name: `${component}_${steps.length}_${name}`, text };
}

export interface Queryable {
  /**
   * Plain text is not prepared. Without parameters it may hold several statements; the result is the result of the last
   * one.
   */
  query<R extends Row = Row>(statement: Statement | string, params?: readonly unknown[]): Promise<Result<R>>;
}

export interface Transaction extends Queryable {
  /**
   * Sends this text, which takes no parameters, and COMMIT in one message, and returns the rows of the text. So the
   * locks that the text takes last no longer than the server needs, even when this process stops. Call it last: the
   * transaction has ended then.
   */
  queryAndCommit<R extends Row = Row>(text: string): Promise<Result<R>>;
}

export type TransactionOptions = {
  /** The limit for each statement and each wait for a lock; replaces the usual limits. */
  readonly timeoutMs?: number | undefined;
};

/** A separate connection for LISTEN, and for advisory locks that last longer than a transaction. */
export interface Session extends Queryable {
  /**
   * Aborted when the connection is lost or closed, together with its locks and channels. A statement without an answer
   * also loses it.
   */
  readonly lost: AbortSignal;
  /** Calls `wake` for every notification on this channel. */
  listen(channel: string, wake: () => void): Promise<void>;
  close(): Promise<void>;
}

/**
 * Errors: DependencyError('journal') when a retry may help, ConfigurationError when it cannot. Any other error is a bug
 * in a statement.
 */
export interface Postgres extends Queryable {
  /**
   * Runs BEGIN, the work and COMMIT, unless the work commits itself, on one connection; rolls back when the work
   * throws. A DependencyError is `outcomeUnknown` when the answer to COMMIT was lost; after every other error nothing
   * was committed.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  session(): Promise<Session>;
  /**
   * The number of connections that were lost, or closed because their state was unknown. Behind the next one may be
   * another server, with an earlier state.
   */
  lostConnections(): number;
  /** Waits for running statements as long as one statement may take, then cuts every connection. */
  close(): Promise<void>;
}
