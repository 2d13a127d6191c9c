/**
 * The real servers that the contract suites, journeys and faults run on, where there are some: named one by one in the environment, or
 * all of them by `PALIMPSEST_TEST_SERVERS=local | docker`, which brings them up before the first test. Everything in them is wiped.
 */
import type { Environment } from '../../shared/kernel/config.js';

export const SERVERS = {
  postgres: { address: 'PALIMPSEST_TEST_POSTGRES_URL' },
  neo4j: { address: 'PALIMPSEST_TEST_NEO4J_URL' },
  kafka: { address: 'PALIMPSEST_TEST_KAFKA_BROKERS' },
  qdrant: { address: 'PALIMPSEST_TEST_QDRANT_URL' },
} as const;
export type ServerName = keyof typeof SERVERS;

/** Known when test files load, before any server runs: whether suites over this server are to be defined. */
export function isServerWanted(name: ServerName, environment: Environment = process.env): boolean {
  return (environment['PALIMPSEST_TEST_SERVERS'] ?? '') !== '' || (environment[SERVERS[name].address] ?? '') !== '';
}

/** Where it answers; from inside a test or a hook, when the servers are up. */
export function serverAddress(name: ServerName, environment: Environment = process.env): string {
  const address = environment[SERVERS[name].address];
  if (!address)
    throw new Error(`No ${name} to test on: set ${SERVERS[name].address}, or PALIMPSEST_TEST_SERVERS=local`);
  return address;
}

/** The user and password of the Neo4j to test on. */
export function neo4jCredentials(environment: Environment = process.env): {
  readonly user: string;
  readonly password: string;
} {
  return {
    user: environment['PALIMPSEST_TEST_NEO4J_USER'] ?? 'neo4j',
    password: environment['PALIMPSEST_TEST_NEO4J_PASSWORD'] ?? 'palimpsest-local',
  };
}
