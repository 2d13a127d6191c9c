/** The port of each program, and the addresses of the local servers as variables of our processes and tests. */

const HOST = '127.0.0.1';
export const NEO4J_USER = 'neo4j';
export const NEO4J_PASSWORD = 'palimpsest-local';
/** The name of the user, of its password and of the database. */
export const POSTGRES_NAME = 'palimpsest';

export type Addresses = ReturnType<typeof addressesOf>;

export function addressesOf(ports: PortSettings) {
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

export function testVariables(addresses: Addresses): Readonly<Record<string, string>> {
  const variables = Object.entries(serviceVariables(addresses));
  return Object.fromEntries(variables.map(([name, value]) => [`PALIMPSEST_TEST_${name}`, value]));
}

/** `export` lines for a shell to evaluate. */
export function exportLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`)
    .join('');
}

/** The port of each program: its usual port plus the offset. */
export const PORTS = {
  neo4j: 7687,
  postgres: 5432,
  kafka: 9092,
  'kafka-controller': 9093,
  qdrant: 6333,
  gateway: 8001,
  'command-api': 8011,
  'query-api': 8012,
  projectors: 8013,
  relay: 8014,
} as const;
export type PortName = keyof typeof PORTS;

const PORT_STEP = 10;

export type PortSettings = { readonly portOffset: number };

/** `instance` counts from 1; each further instance listens ten ports higher. */
export function portOf(name: PortName, { portOffset }: PortSettings, instance = 1): number {
  return PORTS[name] + portOffset + (instance - 1) * PORT_STEP;
}

const METRICS_PORT_STEP = 1_000;

/** Of each process its own, where METRICS_PORT is set: the first process would take the one of all. */
export function metricsPort(port: number, environment: Readonly<Record<string, string | undefined>>): object {
  return environment['METRICS_PORT'] ? { METRICS_PORT: String(port + METRICS_PORT_STEP) } : {};
}
