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

/**
 * The port of `GET /metrics` of the process with this port, where METRICS_PORT is set: the first process would take one
 * that all are given.
 */
export function metricsPort(port: number, environment: Readonly<Record<string, string | undefined>>): object {
  return environment['METRICS_PORT'] ? { METRICS_PORT: String(port + METRICS_PORT_STEP) } : {};
}
