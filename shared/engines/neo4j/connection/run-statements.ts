/** Runs statements in one session of the driver. */
import type { Driver, QueryResult, Record as NeoRecord, Session } from 'neo4j-driver';
import type { Logger } from '../../../kernel/logger.js';
import type { Row, Statement } from '../neo4j.js';

export type SessionMode = 'READ' | 'WRITE';

/** In ms. The server ends the transaction after it. */
export type TransactionLimits = { readonly timeout: number };

export type InSession = <R>(driver: Driver, mode: SessionMode, work: (session: Session) => Promise<R>) => Promise<R>;

/**
 * Sessions have no bookmarks: a leader shows each write before it answers it. After an earlier dump was loaded, a
 * bookmark would be ahead of the store, and each call would wait for it until its deadline.
 */
export function createInSession({
  database,
  logger,
}: {
  readonly database: string;
  readonly logger: Logger;
}): InSession {
  return async (driver, defaultAccessMode, work) => {
    const session = driver.session({ database, defaultAccessMode });
    try {
      return await work(session);
    } finally {
      // Not awaited: `close` never ends on a connection that hangs. No retry starts after it has begun.
      session.close().catch((error: unknown) => logger.debug({ err: error }, 'closing a neo4j session failed'));
    }
  };
}

type Runs = { run(text: string, given: object): PromiseLike<QueryResult> };

/** Sends each statement without waiting for the reply of the one before. */
export function runInOrder(transaction: Runs, statements: readonly Statement[]): Promise<readonly QueryResult[]> {
  return Promise.all(statements.map(({ text, given }) => transaction.run(text, { given })));
}

export function rowsOf({ records }: { readonly records: readonly NeoRecord[] }): readonly Row[] {
  return records.map((record) => record.toObject());
}
