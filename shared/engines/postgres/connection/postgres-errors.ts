/**
 * Translates the errors of Postgres and of the network to it. Any other error is a bug in one of our statements and
 * stays as it is.
 */
import { ConfigurationError } from '../../../kernel/config/config.js';
import { DependencyError } from '../../../kernel/errors.js';
import { palimpsestCommand } from '../../../kernel/palimpsest-command.js';

/** The SQLSTATE of an append whose witness the journal lacks. */
export const WENT_BACK = 'PJ001';

const UNREACHABLE = 'Postgres does not answer: check that it runs and that POSTGRES_URL names its host and port';
const LOST = 'The connection to Postgres was lost: try again';
const NO_ANSWER = 'Postgres did not answer in time: try again, and check its load and the network';
const NO_CONNECTION =
  'Postgres did not accept a connection in time: try again, and check its load, the network and the host in POSTGRES_URL';
const UNTRUSTED = 'The certificate of Postgres is not trusted: add `sslrootcert=` with its authority to POSTGRES_URL';
const BUSY = 'Postgres was too busy with the same rows: try again';

/**
 * Errors that may pass: by waiting, or by a repair at the server. By SQLSTATE, by its class (two characters), or by
 * Node's code.
 */
const RETRYABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ENOENT: UNREACHABLE,
  ECONNRESET: LOST,
  EPIPE: LOST,
  ETIMEDOUT: LOST,
  '08': LOST,
  '25006':
    'This Postgres is read-only, like a standby: point POSTGRES_URL to the primary, or wait until this server is the primary',
  '25P03': 'A transaction was idle for too long and Postgres ended it: try again',
  '40': BUSY,
  '53': 'Postgres has run out of connections, memory or disk: give it more, or lower POSTGRES_POOL_SIZE',
  '53100': 'The disk of Postgres is full: free space on it',
  '53300': 'Postgres has no connection left: raise its max_connections, or lower POSTGRES_POOL_SIZE',
  '55P03': BUSY,
  '57014': NO_ANSWER,
  '57P': 'Postgres is starting, stopping or restarting: try again',
  [WENT_BACK]:
    'The journal went back in time: it lacks an event that was committed. Commands are refused: `GET /health` says what to do',
  '58': 'Postgres has trouble with its files: check its log and its disk',
  XX001: 'Postgres reports damaged data: stop the service, check the disk and restore a backup',
  XX002: 'Postgres reports a damaged index: stop the service, check the disk, and REINDEX or restore a backup',
};

/** Errors that waiting cannot repair. */
const PERMANENT: Readonly<Record<string, string>> = {
  '28': 'Postgres refuses this user or password: check POSTGRES_URL, and pg_hba.conf at the server',
  '3D000': `The database that POSTGRES_URL names does not exist: create it (CREATE DATABASE), then run ${palimpsestCommand('migrate')}`,
  '42501': `Postgres denies this user a right: let the user of POSTGRES_URL own the database, then run ${palimpsestCommand('migrate')}`,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: 'The certificate of Postgres has expired: renew it at the server',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of Postgres is for another host: name that host in POSTGRES_URL',
};

/** Of PgBouncer, with a code that it uses for all its errors. */
const REFUSED_PARAMETER = /unsupported startup parameter/u;
const POOLER =
  'A pooler in front of Postgres refuses the time limits of our connections: write the address of Postgres itself in POSTGRES_URL, or let the ' +
  'pooler ignore statement_timeout, lock_timeout and idle_in_transaction_session_timeout at the start and set them for the user in Postgres';

/** Errors of `pg` without a code. */
const RETRYABLE_BY_TEXT: readonly (readonly [RegExp, string])[] = [
  [/^Query read timeout/u, NO_ANSWER],
  [/^timeout expired|^Connection terminated due to connection timeout/u, NO_CONNECTION],
  [
    /^timeout exceeded when trying to connect/u,
    'No connection to Postgres became free in time: try again, or raise POSTGRES_POOL_SIZE',
  ],
  [/^Connection terminated|is not queryable$|^Cannot use a pool after/u, LOST],
];
const PERMANENT_BY_TEXT: readonly (readonly [RegExp, string])[] = [
  [
    /^SASL:/u,
    'Postgres requires a password and POSTGRES_URL has no valid one: write postgres://user:password@host:5432/database',
  ],
  [
    /does not support SSL/u,
    'This Postgres does not support TLS: remove sslmode from POSTGRES_URL, or switch ssl on at the server',
  ],
];

export function translatePostgresError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const permanent = REFUSED_PARAMETER.test(error.message) ? POOLER : findAdvice(error, PERMANENT, PERMANENT_BY_TEXT);
  if (permanent !== undefined) return configurationError(permanent, error);
  const retryable = findAdvice(error, RETRYABLE, RETRYABLE_BY_TEXT);
  return retryable === undefined ? error : new DependencyError('journal', retryable, { cause: error });
}

/**
 * True when the connection must be closed after this error. It stays usable only after an error that the server sent
 * with severity ERROR. A prepared statement that no longer fits the schema also needs a new connection, which prepares
 * it again.
 */
export function isConnectionUnusable(error: unknown): boolean {
  const code = postgresCode(error);
  return code === null || !isStatementError(error) || ['0A000', '25006', '26000', '42804'].includes(code);
}

/**
 * True when the server itself reported the failure of the statement and continued: the statement then certainly had no
 * effect.
 */
export function isRefusal(error: unknown): boolean {
  return postgresCode(error) !== null && isStatementError(error);
}

/** The SQLSTATE of an error that the server sent; null for any other error. */
export function postgresCode(error: unknown): string | null {
  const isServerError = error instanceof Error && 'severity' in error && 'code' in error;
  return isServerError && typeof error.code === 'string' ? error.code : null;
}

/** Postgres ended this transaction, because it and another one waited for each other. It may run again. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof DependencyError && postgresCode(error.cause) === '40P01';
}

/** The journal lacks the witness of an append. */
export function hasWentBack(error: unknown): boolean {
  return error instanceof DependencyError && postgresCode(error.cause) === WENT_BACK;
}

/**
 * A server with another language than English translates `ERROR`. The connection then counts as lost, which is slower
 * but correct.
 */
function isStatementError(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

function findAdvice(
  error: Error,
  byCode: Readonly<Record<string, string>>,
  byText: readonly (readonly [RegExp, string])[],
): string | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code === null) return byText.find(([pattern]) => pattern.test(error.message))?.[1];
  return byCode[code] ?? byCode[code.slice(0, 3)] ?? byCode[code.slice(0, 2)];
}

function configurationError(advice: string, cause: Error): ConfigurationError {
  const error = new ConfigurationError([advice]);
  error.cause = cause;
  return error;
}
