/**
 * The addresses of the real servers for contract suites, journeys and fault tests. Variables name them one by one, or
 * `PALIMPSEST_TEST_SERVERS=local | docker` starts all of them before the first test. Tests delete all data in them.
 */
import type { Environment } from '../../../shared/kernel/config/config.js';

export const SERVERS = {
  postgres: { address: 'PALIMPSEST_TEST_POSTGRES_URL' },
  neo4j: { address: 'PALIMPSEST_TEST_NEO4J_URL' },
  kafka: { address: 'PALIMPSEST_TEST_KAFKA_BROKERS' },
  qdrant: { address: 'PALIMPSEST_TEST_QDRANT_URL' },
} as const;
export type ServerName = keyof typeof SERVERS;

/** Whether suites over this server are defined. Known when test files load, before any server runs. */
export function isServerWanted(name: ServerName, environment: Environment = process.env): boolean {
  return (environment['PALIMPSEST_TEST_SERVERS'] ?? '') !== '' || (environment[SERVERS[name].address] ?? '') !== '';
}

/** The address of the server. Call it inside a test or a hook, when the servers run. */
export function serverAddress(name: ServerName, environment: Environment = process.env): string {
  const address = environment[SERVERS[name].address];
  if (!address)
    throw new Error(`The tests have no ${name} server: set ${SERVERS[name].address} or PALIMPSEST_TEST_SERVERS=local`);
  return address;
}

/** User and password of the test Neo4j. */
export function neo4jCredentials(environment: Environment = process.env): {
  readonly user: string;
  readonly password: string;
} {
  return {
    user: environment['PALIMPSEST_TEST_NEO4J_USER'] ?? 'neo4j',
    password: environment['PALIMPSEST_TEST_NEO4J_PASSWORD'] ?? 'palimpsest-local',
  };
}
