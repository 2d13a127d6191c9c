/** Runs statements in Neo4j, each call with its own deadline. */
import neo4j, { type Driver, type ManagedTransaction, type QueryResult, type Session } from 'neo4j-driver';
import { raceDeadline } from '../../../kernel/concurrency/within-deadline.js';
import { DeadlineError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../../kernel/metrics/metrics.js';
import { withChildSpan } from '../../../kernel/tracing/tracing.js';
import type { CallLimits, Neo4j, Row, Statement } from '../neo4j.js';
import { type ClusterRead, createClusterReads } from './cluster-reads.js';
import { graphError, NoAnswerError } from './neo4j-errors.js';
import type { Neo4jConfig } from './neo4j-variables.js';
import { createReplaceableDriver } from './replaceable-driver.js';
import { createInSession, rowsOf, runInOrder, type TransactionLimits } from './run-statements.js';

type Kind = { readonly isWrite: boolean; readonly spanName: string };

const READ: Kind = { isWrite: false, spanName: 'neo4j read' };
const WRITE: Kind = { isWrite: true, spanName: 'neo4j write' };

/** Opens no connection before the first call. */
export function createNeo4j({
  config,
  logger,
  readsAtMembers = false,
  metrics = NO_METRICS,
}: {
  readonly config: Neo4jConfig;
  readonly logger: Logger;
  /** `read` and `readAll` go to any member of a cluster, and not to its leader alone. */
  readonly readsAtMembers?: boolean;
  readonly metrics?: Pick<Metrics, 'count'>;
}): Neo4j {
  const { database, callTimeoutMs, maxCalls } = config;
  const drivers = createReplaceableDriver({ open: () => openDriver(config), logger });
  const inSession = createInSession({ database, logger });
  const onMemberRead: Parameters<typeof createClusterReads>[0]['onMemberRead'] = (outcome) =>
    metrics.count('palimpsest_graph_member_reads_total', { outcome });
  const cluster = config.isCluster
    ? createClusterReads({ config, use, inSession, limits: within(), onMemberRead })
    : null;
  let calls = 0;

  function within(limits?: CallLimits): TransactionLimits {
    return { timeout: Math.min(config.transactionTimeoutMs, limits?.timeoutMs ?? Infinity) };
  }

  function use<R>(work: (driver: Driver) => Promise<R>, milliseconds = callTimeoutMs): Promise<R> {
    const onDeadline = (): never => {
      throw new NoAnswerError(milliseconds);
    };
    return drivers.use((driver) => raceDeadline(work(driver), { milliseconds, onDeadline }));
  }

  function call<R>(kind: Kind, statements: number, work: (driver: Driver) => Promise<R>): Promise<R> {
    const attributes = { 'db.system.name': 'neo4j', 'palimpsest.statements': statements };
    return withChildSpan(kind.spanName, { kind: 'client', attributes }, () => callWithinLimits(kind, work));
  }

  async function callWithinLimits<R>(kind: Kind, work: (driver: Driver) => Promise<R>): Promise<R> {
    if (calls >= maxCalls) throw new DeadlineError('Too many calls wait for the graph: try again in a moment');
    calls += 1;
    try {
      return await use(work);
    } catch (error) {
      throw graphError(error, kind);
    } finally {
      calls -= 1;
    }
  }

  /**
   * The first attempt has no retries of the driver, which need a managed transaction. After a temporary failure each
   * statement runs in one.
   */
  async function readAll(
    driver: Driver,
    statements: readonly Statement[],
    limits?: CallLimits,
  ): Promise<readonly (readonly Row[])[]> {
    const bounded = within(limits);
    try {
      const results = await inSession(driver, neo4j.session.READ, (session) => runAll(session, statements, bounded));
      return results.map(rowsOf);
    } catch (error) {
      if (!neo4j.isRetryableError(error)) throw error;
      return Promise.all(statements.map((statement) => readRows(driver, statement, bounded)));
    }
  }

  /**
   * A single statement is its own transaction: one round trip and half the messages. Several statements need BEGIN and
   * COMMIT: two round trips.
   */
  async function runAll(
    session: Session,
    statements: readonly Statement[],
    bounded: TransactionLimits,
  ): Promise<readonly QueryResult[]> {
    const [only, ...others] = statements;
    if (only && others.length === 0) return [await session.run(only.text, { given: only.given }, bounded)];
    const open = session.beginTransaction(bounded);
    const results = await runInOrder(open, statements);
    await open.commit();
    return results;
  }

  /**
   * A managed transaction adds two round trips; `executeQuery` saves one of them, because it sends BEGIN together with
   * the statement.
   */
  async function readRows(
    driver: Driver,
    { text, given }: Statement,
    bounded: TransactionLimits,
  ): Promise<readonly Row[]> {
    return rowsOf(
      await driver.executeQuery(
        text,
        { given },
        { database, bookmarkManager: null, routing: 'READ', transactionConfig: bounded },
      ),
    );
  }

  /**
   * Logs retries, because a retry starts a second later at the earliest, and one after a deadlock means that a write
   * broke the order of locks.
   */
  function withRetryWarning<R>(
    work: (transaction: ManagedTransaction) => Promise<R>,
  ): (transaction: ManagedTransaction) => Promise<R> {
    let attempts = 0;
    return (given) => {
      attempts += 1;
      if (attempts > 1) logger.warn({ attempts }, 'neo4j transaction retried after a temporary failure');
      return work(given);
    };
  }

  function readFrom(clusterRead: ClusterRead | undefined) {
    return (statements: readonly Statement[], limits?: CallLimits) =>
      call(READ, statements.length, (driver) =>
        clusterRead ? clusterRead(statements, within(limits)) : readAll(driver, statements, limits),
      );
  }

  const readStatements = readFrom(readsAtMembers ? cluster?.atMembers : cluster?.atLeader);
  const readAtLeader = readFrom(cluster?.atLeader);

  return {
    read: async (statement, limits) => (await readStatements([statement], limits))[0] ?? [],
    readAll: readStatements,
    readAtLeader: async (statement) => (await readAtLeader([statement]))[0] ?? [],
    write: (statements, limits) =>
      call(WRITE, statements.length, (driver) =>
        inSession(driver, neo4j.session.WRITE, (session) =>
          session.executeWrite(
            withRetryWarning(async (work) => {
              const results = await runInOrder(work, statements);
              statements.forEach(({ check }, index) => check?.(results[index] ? rowsOf(results[index]) : []));
            }),
            within(limits),
          ),
        ),
      ),
    serverVersion: () =>
      call(READ, 1, (driver) =>
        inSession(driver, neo4j.session.READ, async (session) => {
          const [row] = rowsOf(await session.run(SERVER_VERSION, {}, within()));
          return String(row?.['version']);
        }),
      ),
    close: () => drivers.close(),
  };
}

const SERVER_VERSION =
  'CALL dbms.components() YIELD name, versions WHERE name = "Neo4j Kernel" RETURN versions[0] AS version';

/** The driver's value for a fetch size without a limit. */
const FETCH_ALL = -1;

function openDriver({ url, user, password, poolSize, connectTimeoutMs, retryMs }: Neo4jConfig): Driver {
  return neo4j.driver(url, password === null ? undefined : neo4j.auth.basic(user, password), {
    userAgent: 'palimpsest',
    disableLosslessIntegers: true,
    maxConnectionPoolSize: poolSize,
    connectionTimeout: connectTimeoutMs,
    connectionAcquisitionTimeout: connectTimeoutMs,
    maxTransactionRetryTime: retryMs,
    // Every statement limits its rows, so no result needs a second request.
    fetchSize: FETCH_ALL,
    // On an empty database nearly every statement would cause a warning.
    notificationFilter: { minimumSeverityLevel: 'OFF' },
    telemetryDisabled: true,
  });
}
