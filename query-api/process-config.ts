/** The configuration of the query API as a separate process. */
import { kafkaConfig } from '../shared/engines/kafka/kafka-variables.js';
import { embeddingVariables } from '../shared/engines/models/embedding-variables.js';
import { neo4jConfig } from '../shared/engines/neo4j/connection/neo4j-variables.js';
import { postgresConfig } from '../shared/engines/postgres/connection/postgres-variables.js';
import { qdrantConfig } from '../shared/engines/qdrant/qdrant-variables.js';
import { DEFAULT_PORTS, edgeConfig } from '../shared/http/edge-variables.js';
import { type Environment, readVariables } from '../shared/kernel/config/config.js';
import { readParts } from '../shared/kernel/config/read-parts.js';
import { startConfig } from '../shared/kernel/config/start-variables.js';
import { queryConfig } from './config.js';

export type QueryProcessConfig = ReturnType<typeof queryProcessConfig>;

/** Throws one ConfigurationError that lists every problem. */
export function queryProcessConfig(environment: Environment) {
  return readParts({
    edge: () => edgeConfig(environment, DEFAULT_PORTS.queryApi),
    start: () => startConfig(environment),
    query: () => queryConfig(environment),
    embedding: () => readVariables(embeddingVariables, environment),
    neo4j: () => neo4jConfig(environment),
    qdrant: () => qdrantConfig(environment),
    postgres: () => postgresConfig(environment),
    kafka: () => kafkaConfig(environment),
  });
}
