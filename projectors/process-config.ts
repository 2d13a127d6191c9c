/** The configuration of a projector process. */
import { kafkaConfig } from '../shared/engines/kafka/kafka-variables.js';
import { embeddingVariables } from '../shared/engines/models/embedding-variables.js';
import { languageConfig } from '../shared/engines/models/language-variables.js';
import { neo4jConfig } from '../shared/engines/neo4j/connection/neo4j-variables.js';
import { postgresConfig } from '../shared/engines/postgres/connection/postgres-variables.js';
import { qdrantConfig } from '../shared/engines/qdrant/qdrant-variables.js';
import { DEFAULT_PORTS, internalTokenVariable, probeConfig } from '../shared/http/edge-variables.js';
import { ConfigurationError, type Environment, readVariables, type Variable } from '../shared/kernel/config/config.js';
import { readParts } from '../shared/kernel/config/read-parts.js';
import { startConfig } from '../shared/kernel/config/start-variables.js';
import { projectorConfig } from './config.js';

export const commandApiVariables = [
  {
    name: 'COMMAND_API_URL',
    kind: 'list',
    default: 'http://127.0.0.1:8011',
    description:
      'Where projectors send internal commands: the URL of every command API, separated by commas, or of their load balancer.',
  },
] as const satisfies readonly Variable[];

export type ProjectorProcessConfig = ReturnType<typeof projectorProcessConfig>;

/** Throws one ConfigurationError that lists every problem. */
export function projectorProcessConfig(environment: Environment) {
  return readParts({
    edge: () => probeConfig(environment, DEFAULT_PORTS.projectors),
    start: () => startConfig(environment),
    projectors: () => projectorConfig(environment),
    commandApiUrls: () => commandApiUrls(environment),
    internalToken: () => internalToken(environment),
    language: () => languageConfig(environment),
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
    'COMMAND_API_URL is empty or holds something other than HTTP URLs: write for example COMMAND_API_URL=http://127.0.0.1:8011',
  ]);
}
