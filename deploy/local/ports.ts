/** The port of each program: its usual port plus the offset, or the port that its own variable sets. */
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

export type PortSettings = {
  readonly portOffset: number;
  readonly setPorts: Readonly<Partial<Record<PortName, number>>>;
};

/** `instance` counts from 1; each further instance listens ten ports higher. */
export function portOf(name: PortName, { portOffset, setPorts }: PortSettings, instance = 1): number {
  return (setPorts[name] ?? PORTS[name] + portOffset) + (instance - 1) * PORT_STEP;
}

const METRICS_PORT_STEP = 1_000;

/** The port of `GET /metrics` of the process with this port, where METRICS_PORT is set: the first process would take one that all are given. */
export function metricsPort(port: number, environment: Readonly<Record<string, string | undefined>>): object {
  return environment['METRICS_PORT'] ? { METRICS_PORT: String(port + METRICS_PORT_STEP) } : {};
}

type ScreamingSnakeCase<T extends string> = T extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${ScreamingSnakeCase<Tail>}`
  : Uppercase<T>;

/** The variable that sets the port of `name` alone. */
export function portVariable<N extends PortName>(name: N): `LOCAL_${ScreamingSnakeCase<N>}_PORT` {
  // The type repeats the expression.
  return `LOCAL_${name.toUpperCase().replaceAll('-', '_')}_PORT` as `LOCAL_${ScreamingSnakeCase<N>}_PORT`;
}
