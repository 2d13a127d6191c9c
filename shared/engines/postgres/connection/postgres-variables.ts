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
    name: 'POSTGRES_STATEMENT_TIMEOUT_MS',
    kind: 'integer',
    minimum: 100,
    default: '10000',
    unit: 'ms',
    description: 'How long a statement may take; without an answer one second later its connection is closed.',
  },
] as const satisfies readonly Variable[];

export type PostgresConfig = {
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
} & Readonly<typeof LIMITS>;

const LIMITS = {
  /** Most calls of a process that wait for a connection; further calls are rejected immediately. */
  queueLimit: 1_000,
  /** How long a new connection, or the wait for a free one, may take. */
  connectTimeoutMs: 5_000,
  /** How long a statement may wait for a lock. */
  lockTimeoutMs: 5_000,
  /**
   * How long a transaction may be idle before the server ends it, so that a process that hangs does not block others.
   */
  idleTransactionTimeoutMs: 3_000,
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
    ...LIMITS,
    url,
    poolSize: values.POSTGRES_POOL_SIZE,
    statementTimeoutMs: values.POSTGRES_STATEMENT_TIMEOUT_MS,
  };
}
