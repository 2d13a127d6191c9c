/** The configuration of the query API as a separate process. */
import { embeddingVariables } from '../shared/embedding/embedding-variables.js';
import { neo4jConfig } from '../shared/graph/neo4j/connection/neo4j-variables.js';
import { DEFAULT_PORTS, edgeConfig } from '../shared/http/edge-variables.js';
import { type Environment, readVariables } from '../shared/kernel/config/config.js';
import { readParts } from '../shared/kernel/config/read-parts.js';
import { startConfig } from '../shared/kernel/config/start-variables.js';
import { postgresConfig } from '../shared/postgres/postgres-variables.js';
import { kafkaConfig } from '../shared/stream/kafka/kafka-variables.js';
import { qdrantConfig } from '../shared/vectors/qdrant/qdrant-variables.js';
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
