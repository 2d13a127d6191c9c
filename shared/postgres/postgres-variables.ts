/** How processes reach Postgres, and the limits on everything they ask of it. */
import { ConfigurationError, readVariables, type Environment, type Variable } from '../kernel/config.js';

export const postgresVariables = [
  {
    name: 'POSTGRES_URL',
    kind: 'secret',
    description:
      'The Postgres of the journal: `postgres://user:password@host:5432/database`, with `?sslmode=verify-full` for TLS.',
  },
  {
    name: 'POSTGRES_POOL_SIZE',
    kind: 'integer',
    minimum: 1,
    maximum: 500,
    default: '10',
    description: 'Connections that a process keeps to Postgres at most, besides one or two of its own for the relay.',
  },
  {
    name: 'POSTGRES_QUEUE_LIMIT',
    kind: 'integer',
    minimum: 1,
    default: '1000',
    description: 'Calls of a process that may wait for a connection; more are refused at once.',
  },
  {
    name: 'POSTGRES_CONNECT_TIMEOUT_MS',
    kind: 'integer',
    minimum: 100,
    default: '5000',
    unit: 'ms',
    description: 'How long a new connection, or the wait for a free one, may take.',
  },
  {
    name: 'POSTGRES_STATEMENT_TIMEOUT_MS',
    kind: 'integer',
    minimum: 100,
    default: '10000',
    unit: 'ms',
    description: 'How long a statement may take; without any answer a second later its connection is given up.',
  },
  {
    name: 'POSTGRES_LOCK_TIMEOUT_MS',
    kind: 'integer',
    minimum: 100,
    default: '5000',
    unit: 'ms',
    description: 'How long a statement may wait for a lock.',
  },
  {
    name: 'POSTGRES_IDLE_TRANSACTION_TIMEOUT_MS',
    kind: 'integer',
    minimum: 100,
    default: '3000',
    unit: 'ms',
    description:
      'How long a transaction may stand without a statement before the server ends it: a process that hangs holds up others no longer.',
  },
] as const satisfies readonly Variable[];

export type PostgresConfig = {
  readonly url: string;
  readonly poolSize: number;
  readonly queueLimit: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleTransactionTimeoutMs: number;
};

const EXAMPLE = 'write for example POSTGRES_URL=postgres://user:password@localhost:5432/palimpsest';

/** Throws ConfigurationError. The text of a URL that cannot be read is not repeated: it may hold a password. */
export function postgresConfig(environment: Environment): PostgresConfig {
  const values = readVariables(postgresVariables, environment);
  const url = values.POSTGRES_URL;
  if (url === undefined) throw new ConfigurationError([`POSTGRES_URL is not set: ${EXAMPLE}`]);
  if (!/^postgres(?:ql)?:\/\//u.test(url) || !URL.canParse(url))
    throw new ConfigurationError([`POSTGRES_URL is not a URL of a Postgres database: ${EXAMPLE}`]);
  return {
    url,
    poolSize: values.POSTGRES_POOL_SIZE,
    queueLimit: values.POSTGRES_QUEUE_LIMIT,
    connectTimeoutMs: values.POSTGRES_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: values.POSTGRES_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: values.POSTGRES_LOCK_TIMEOUT_MS,
    idleTransactionTimeoutMs: values.POSTGRES_IDLE_TRANSACTION_TIMEOUT_MS,
  };
}
