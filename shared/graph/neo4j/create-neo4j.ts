/** Runs statements in managed transactions, each call within a time of its own. */
import neo4j, {
  type Driver,
  type ManagedTransaction,
  type QueryResult,
  type Record as NeoRecord,
  type Session,
} from 'neo4j-driver';
import { DeadlineError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import { graphError, NoAnswerError } from './neo4j-errors.js';
import type { Neo4jConfig } from './neo4j-variables.js';
import type { Neo4j, Row, Statement } from './neo4j.js';
import { createReplaceableDriver } from './create-replaceable-driver.js';

type SessionMode = 'READ' | 'WRITE';

type Kind = { readonly isWrite: boolean };

const READ: Kind = { isWrite: false };
const WRITE: Kind = { isWrite: true };

/** Opens no connection before the first call. */
export function createNeo4j({ config, logger }: { readonly config: Neo4jConfig; readonly logger: Logger }): Neo4j {
  const { database, callTimeoutMs, maxCalls } = config;
  const drivers = createReplaceableDriver({ open: () => openDriver(config), logger });
  /** One for all sessions: a read waits until its server has what was written before it. */
  const bookmarkManager = neo4j.bookmarkManager();
  const transaction = { timeout: config.transactionTimeoutMs };
  let calls = 0;

  async function call<R>(kind: Kind, work: (driver: Driver) => Promise<R>): Promise<R> {
    if (calls >= maxCalls) throw new DeadlineError('Too many calls wait for the graph: try again in a moment');
    calls += 1;
    try {
      return await drivers.use((driver) => within(callTimeoutMs, work(driver)));
    } catch (error) {
      throw graphError(error, kind);
    } finally {
      calls -= 1;
    }
  }

  /** Without the driver's retries, which are only had in managed transactions: what failed for a passing reason is read again in one. */
  async function readAll(driver: Driver, statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    try {
      const results = await inSession(driver, neo4j.session.READ, (session) => runAll(session, statements));
      return results.map(rowsOf);
    } catch (error) {
      if (!neo4j.isRetryableError(error)) throw error;
      return Promise.all(statements.map((statement) => readRows(driver, statement)));
    }
  }

  /** One statement is a transaction by itself: one round trip and half the messages. Several are sent with their BEGIN, and take two. */
  async function runAll(session: Session, statements: readonly Statement[]): Promise<readonly QueryResult[]> {
    const [only, ...others] = statements;
    if (only && others.length === 0) return [await session.run(only.text, { given: only.given }, transaction)];
    const open = session.beginTransaction(transaction);
    const results = await Promise.all(statements.map(({ text, given }) => open.run(text, { given })));
    await open.commit();
    return results;
  }

  /** The driver sends BEGIN along with the one statement, which saves a round trip of the two that a managed transaction adds. */
  async function readRows(driver: Driver, { text, given }: Statement): Promise<readonly Row[]> {
    return rowsOf(
      await driver.executeQuery(
        text,
        { given },
        { database, bookmarkManager, routing: 'READ', transactionConfig: transaction },
      ),
    );
  }

  /** A retry is slow (it begins a second later at the earliest), and one after a deadlock means that an order of locks is not kept. */
  function noticed<R>(
    work: (transaction: ManagedTransaction) => Promise<R>,
  ): (transaction: ManagedTransaction) => Promise<R> {
    let attempts = 0;
    return (given) => {
      attempts += 1;
      if (attempts > 1)
        logger.warn({ attempts }, 'A transaction with Neo4j failed for a passing reason and is tried again');
      return work(given);
    };
  }

  async function inSession<R>(
    driver: Driver,
    defaultAccessMode: SessionMode,
    work: (session: Session) => Promise<R>,
  ): Promise<R> {
    const session = driver.session({ database, bookmarkManager, defaultAccessMode });
    try {
      return await work(session);
    } finally {
      // Not awaited: on a connection that is stuck it does not end. Nothing is tried again once it has begun.
      session
        .close()
        .catch((error: unknown) => logger.debug({ err: error }, 'A session with Neo4j could not be closed'));
    }
  }

  return {
    read: async (statement) => (await call(READ, (driver) => readAll(driver, [statement])))[0] ?? [],
    readAll: (statements) => call(READ, (driver) => readAll(driver, statements)),
    write: (statements) =>
      call(WRITE, (driver) =>
        inSession(driver, neo4j.session.WRITE, (session) =>
          session.executeWrite(
            noticed(async (work) => {
              await Promise.all(statements.map(({ text, given }) => work.run(text, { given })));
            }),
            transaction,
          ),
        ),
      ),
    serverVersion: () =>
      call(READ, (driver) =>
        inSession(driver, neo4j.session.READ, async (session) => {
          const [row] = rowsOf(await session.run(SERVER_VERSION, {}, transaction));
          return String(row?.['version']);
        }),
      ),
    close: () => drivers.close(),
  };
}

const SERVER_VERSION =
  'CALL dbms.components() YIELD name, versions WHERE name = "Neo4j Kernel" RETURN versions[0] AS version';

/** The driver's value for it. */
const FETCH_ALL = -1;

function openDriver({ url, user, password, poolSize, connectTimeoutMs, retryMs }: Neo4jConfig): Driver {
  return neo4j.driver(url, password === null ? undefined : neo4j.auth.basic(user, password), {
    userAgent: 'palimpsest',
    disableLosslessIntegers: true,
    maxConnectionPoolSize: poolSize,
    connectionTimeout: connectTimeoutMs,
    connectionAcquisitionTimeout: connectTimeoutMs,
    maxTransactionRetryTime: retryMs,
    // Every statement has its own limit, so that no result needs a second request.
    fetchSize: FETCH_ALL,
    // On an empty database nearly every statement would be warned about.
    notificationFilter: { minimumSeverityLevel: 'OFF' },
    telemetryDisabled: true,
  });
}

function rowsOf({ records }: { readonly records: readonly NeoRecord[] }): readonly Row[] {
  return records.map((record) => record.toObject());
}

async function within<R>(ms: number, work: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswerError(ms)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
