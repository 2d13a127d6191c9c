/** Connects to Neo4j once, and explains in one line what prevents the connection. */
import { ConfigurationError } from '../../../kernel/config/config.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Metrics } from '../../../kernel/metrics/metrics.js';
import type { Neo4j } from '../neo4j.js';
import { namespacedNeo4j } from './namespaced.js';
import { createNeo4j } from './neo4j-client.js';
import { neo4jCode } from './neo4j-errors.js';
import type { Neo4jConfig } from './neo4j-variables.js';

/**
 * Throws ConfigurationError for problems that a later attempt has too: rejected credentials, a database that does not
 * exist, a server that is too old. Throws DependencyError while the server cannot be reached or is starting; the caller
 * may retry.
 */
export async function connectNeo4j({
  config,
  logger,
  ...rest
}: {
  readonly config: Neo4jConfig;
  readonly logger: Logger;
  /** As `createNeo4j` has it. */
  readonly readsAtMembers?: boolean;
  readonly metrics?: Pick<Metrics, 'count'>;
}): Promise<Neo4j> {
  const neo4j = createNeo4j({ config, logger, ...rest });
  try {
    rejectOldServer(await neo4j.serverVersion(), config);
    return namespacedNeo4j(neo4j, config.namespace);
  } catch (error) {
    await neo4j.close();
    throw configurationErrorFor(error, config) ?? error;
  }
}

/** CALL (x) { } needs 5.23, dynamic labels and types need 5.24; 5.26 is the release with long-term support. */
const OLDEST_SERVER = [5, 26] as const;

function rejectOldServer(version: string, { url }: Neo4jConfig): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1])) return;
  throw new ConfigurationError([`Neo4j at ${url} is version ${version}: use ${OLDEST_SERVER.join('.')} or later`]);
}

function configurationErrorFor(
  error: unknown,
  { url, user, password, database }: Neo4jConfig,
): ConfigurationError | null {
  const code = neo4jCode(error) ?? '';
  if (REJECTED_CREDENTIALS.has(code)) {
    const as = password === null ? 'a connection without a password' : `user ${user} with this password`;
    return new ConfigurationError([
      `Neo4j at ${url} refused ${as}: set NEO4J_USER and NEO4J_PASSWORD to what it accepts`,
    ]);
  }
  if (code === 'Neo.ClientError.Database.DatabaseNotFound') {
    return new ConfigurationError([
      `Neo4j at ${url} has no database ${database}: set NEO4J_DATABASE to one that exists`,
    ]);
  }
  return null;
}

/** Without the code of the rate limit after wrong passwords, which ends by itself. */
const REJECTED_CREDENTIALS: ReadonlySet<string> = new Set([
  'Neo.ClientError.Security.Unauthorized',
  'Neo.ClientError.Security.Forbidden',
  'Neo.ClientError.Security.CredentialsExpired',
  'Neo.ClientError.Security.TokenExpired',
]);
