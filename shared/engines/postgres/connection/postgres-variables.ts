/** The variables of Postgres: its address, and the limits of every call. */
import { ConfigurationError, type Environment, readVariables, type Variable } from '../../../kernel/config/config.js';

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
    description: 'Most connections in the pool of a process; the relay uses one or two in addition.',
  },
  {
    name: 'POSTGRES_QUEUE_LIMIT',
    kind: 'integer',
    minimum: 1,
    default: '1000',
    description: 'Most calls of a process that wait for a connection; further calls are rejected immediately.',
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
    description: 'How long a statement may take; without an answer one second later its connection is closed.',
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
      'How long a transaction may be idle before the server ends it, so that a process that hangs does not block others.',
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

/** Throws ConfigurationError. The message never repeats an invalid URL: it may contain a password. */
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
