/** What the projectors are configured with as a process of their own. */
import { embeddingVariables } from '../shared/embedding/embedding-variables.js';
import { neo4jConfig } from '../shared/graph/neo4j/neo4j-variables.js';
import { DEFAULT_PORTS, edgeConfig, internalTokenVariable } from '../shared/http/edge-variables.js';
import { ConfigurationError, readVariables, type Environment, type Variable } from '../shared/kernel/config.js';
import { readParts } from '../shared/kernel/read-parts.js';
import { startConfig } from '../shared/kernel/start-variables.js';
import { postgresConfig } from '../shared/postgres/postgres-variables.js';
import { kafkaConfig } from '../shared/stream/kafka/kafka-variables.js';
import { qdrantConfig } from '../shared/vectors/qdrant/qdrant-variables.js';
import { projectorConfig } from './config.js';

export const commandApiVariables = [
  {
    name: 'COMMAND_API_URL',
    kind: 'list',
    default: 'http://127.0.0.1:8011',
    description:
      'Where projectors send internal commands: every command API, separated by commas, or what stands before them.',
  },
] as const satisfies readonly Variable[];

export type ProjectorProcessConfig = ReturnType<typeof projectorProcessConfig>;

/** Throws one ConfigurationError with all that is wrong. */
export function projectorProcessConfig(environment: Environment) {
  return readParts({
    edge: () => edgeConfig(environment, DEFAULT_PORTS.projectors),
    start: () => startConfig(environment),
    projectors: () => projectorConfig(environment),
    commandApiUrls: () => commandApiUrls(environment),
    internalToken: () => internalToken(environment),
    embedding: () => readVariables(embeddingVariables, environment),
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
    kafka: () => kafkaConfig(environment),
    qdrant: () => qdrantConfig(environment),
  });
}

function internalToken(environment: Environment): string {
  const { INTERNAL_API_TOKEN: token } = readVariables([internalTokenVariable], environment);
  if (token !== undefined) return token;
  throw new ConfigurationError([
    'INTERNAL_API_TOKEN is not set: set it for projectors and command APIs, to the same long random text',
  ]);
}

function commandApiUrls(environment: Environment): readonly string[] {
  const urls = readVariables(commandApiVariables, environment).COMMAND_API_URL;
  if (urls.length > 0 && urls.every((url) => URL.canParse(url) && /^https?:\/\//u.test(url))) return urls;
  throw new ConfigurationError([
    'COMMAND_API_URL holds what is not a URL of HTTP: write for example COMMAND_API_URL=http://127.0.0.1:8011',
  ]);
}
