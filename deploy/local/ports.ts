/** Which port everything listens on: its usual one, moved by the offset, or the one that was set for it alone. */
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

const BETWEEN_INSTANCES = 10;

export type PortSettings = {
  readonly portOffset: number;
  readonly setPorts: Readonly<Partial<Record<PortName, number>>>;
};

/** `instance` counts from 1; each further one listens ten ports on. */
export function portOf(name: PortName, { portOffset, setPorts }: PortSettings, instance = 1): number {
  return (setPorts[name] ?? PORTS[name] + portOffset) + (instance - 1) * BETWEEN_INSTANCES;
}

type Shout<T extends string> = T extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${Shout<Tail>}`
  : Uppercase<T>;

/** The variable that sets the port of `name` alone. */
export function portVariable<N extends PortName>(name: N): `LOCAL_${Shout<N>}_PORT` {
  // The type spells out what the expression does.
  return `LOCAL_${name.toUpperCase().replaceAll('-', '_')}_PORT` as `LOCAL_${Shout<N>}_PORT`;
}
