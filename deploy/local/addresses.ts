/**
 * The addresses of the local servers and of the gateway, as variables of our processes and as variables of the tests.
 */
import { portOf, type PortSettings } from './ports.js';
import { NEO4J_PASSWORD, NEO4J_USER } from './servers/neo4j.js';
import { POSTGRES_NAME } from './servers/postgres.js';

const HOST = '127.0.0.1';

export type Addresses = {
  readonly postgres: string;
  readonly neo4j: string;
  readonly kafka: string;
  readonly qdrant: string;
  readonly gateway: string;
};

export function addressesOf(ports: PortSettings): Addresses {
  return {
    postgres: `postgres://${POSTGRES_NAME}:${POSTGRES_NAME}@${HOST}:${portOf('postgres', ports)}/${POSTGRES_NAME}`,
    neo4j: `bolt://${HOST}:${portOf('neo4j', ports)}`,
    kafka: `${HOST}:${portOf('kafka', ports)}`,
    qdrant: `http://${HOST}:${portOf('qdrant', ports)}`,
    gateway: `http://${HOST}:${portOf('gateway', ports)}`,
  };
}

export function serviceVariables({ postgres, neo4j, kafka, qdrant }: Addresses): Readonly<Record<string, string>> {
  return {
    POSTGRES_URL: postgres,
    NEO4J_URL: neo4j,
    NEO4J_USER,
    NEO4J_PASSWORD,
    KAFKA_BROKERS: kafka,
    QDRANT_URL: qdrant,
  };
}

export function testVariables({ postgres, neo4j, kafka, qdrant }: Addresses): Readonly<Record<string, string>> {
  return {
    PALIMPSEST_TEST_POSTGRES_URL: postgres,
    PALIMPSEST_TEST_NEO4J_URL: neo4j,
    PALIMPSEST_TEST_NEO4J_USER: NEO4J_USER,
    PALIMPSEST_TEST_NEO4J_PASSWORD: NEO4J_PASSWORD,
    PALIMPSEST_TEST_KAFKA_BROKERS: kafka,
    PALIMPSEST_TEST_QDRANT_URL: qdrant,
  };
}

/** `export` lines for a shell to evaluate. */
export function exportLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`)
    .join('');
}
