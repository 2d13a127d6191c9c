/** What the command API is configured with as a process of its own: its room's part, and the servers it reaches. */
import { commitConfig } from '../shared/commit/outbox/commit-variables.js';
import { embeddingVariables } from '../shared/embedding/embedding-variables.js';
import { expectedDimension } from '../shared/embedding/expected-dimension.js';
import { neo4jConfig } from '../shared/graph/neo4j/neo4j-variables.js';
import { DEFAULT_PORTS, edgeConfig } from '../shared/http/edge-variables.js';
import { ConfigurationError, readVariables, type Environment } from '../shared/kernel/config.js';
import { readParts } from '../shared/kernel/read-parts.js';
import { startConfig } from '../shared/kernel/start-variables.js';
import { languageConfig } from '../shared/language/language-variables.js';
import { postgresConfig } from '../shared/postgres/postgres-variables.js';
import { qdrantConfig } from '../shared/vectors/qdrant/qdrant-variables.js';
import { commandConfig } from './config.js';

export type CommandProcessConfig = ReturnType<typeof commandProcessConfig>;

/** Throws one ConfigurationError with all that is wrong. */
export function commandProcessConfig(environment: Environment) {
  const config = readParts({
    edge: () => edgeConfig(environment, DEFAULT_PORTS.commandApi),
    start: () => startConfig(environment),
    command: () => commandConfig(environment),
    commit: () => commitConfig(environment),
    language: () => languageConfig(environment),
    /** It embeds nothing, and checks the size of supplied embeddings. Null where only the model, or what it has made, tells. */
    vectorSize: () => expectedDimension(readVariables(embeddingVariables, environment)),
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
    qdrant: () => qdrantConfig(environment),
  });
  refuseShortLease(config.commit.leaseMs, config.neo4j.callTimeoutMs);
  return config;
}

/** Nobody may go on with a commit while whoever began it may still be writing to the graph. */
function refuseShortLease(leaseMs: number, callTimeoutMs: number): void {
  if (leaseMs > callTimeoutMs) return;
  throw new ConfigurationError([
    `COMMIT_LEASE_MS must be above NEO4J_RETRY_MS and NEO4J_TRANSACTION_TIMEOUT_MS together, which are ${callTimeoutMs}, not ${leaseMs}`,
  ]);
}
