/** The variables of Kafka: its address and login, the settings of its topics, and the timeouts of its answers. */
import {
  ConfigurationError,
  type Environment,
  readVariables,
  type Values,
  type Variable,
} from '../../kernel/config/config.js';

export const kafkaVariables = [
  {
    name: 'KAFKA_BROKERS',
    kind: 'list',
    default: '127.0.0.1:9092',
    description: 'Brokers for the first connection, `host:port,host:port`.',
  },
  {
    name: 'KAFKA_TOPIC_PREFIX',
    kind: 'text',
    default: '',
    description: 'Prefix of the names of topics and consumer groups, so that several deployments can share a cluster.',
  },
  { name: 'KAFKA_SSL', kind: 'flag', default: 'false', description: 'Whether to use TLS with the brokers.' },
  {
    name: 'KAFKA_SASL_MECHANISM',
    kind: 'choice',
    choices: ['plain', 'scram-sha-256', 'scram-sha-512'],
    description: 'Login mechanism. Unset: no login.',
  },
  { name: 'KAFKA_SASL_USERNAME', kind: 'text', description: 'The name to log in with.' },
  { name: 'KAFKA_SASL_PASSWORD', kind: 'secret', description: 'The password to log in with.' },
  {
    name: 'KAFKA_PARTITIONS',
    kind: 'integer',
    minimum: 1,
    maximum: 1_000,
    default: '6',
    description: 'Partitions of a topic when it is created: at most this many projectors of a kind share the work.',
  },
  {
    name: 'KAFKA_REPLICATION_FACTOR',
    kind: 'integer',
    minimum: 1,
    maximum: 10,
    default: '1',
    description: 'Replicas of a topic when it is created; 3 on a cluster of three brokers or more.',
  },
  {
    name: 'KAFKA_RETENTION_MS',
    kind: 'integer',
    minimum: 60_000,
    default: '604800000',
    unit: 'ms',
    description:
      'How long Kafka keeps events. The journal keeps them forever, and is read where Kafka no longer has them.',
  },
  {
    name: 'KAFKA_SESSION_TIMEOUT_MS',
    kind: 'integer',
    minimum: 1_000,
    default: '30000',
    unit: 'ms',
    description:
      'After this long without a heartbeat a projector counts as dead, and the others take over its partitions.',
  },
] as const satisfies readonly Variable[];

export type KafkaConfig = ReturnType<typeof kafkaConfig>;

/** Throws ConfigurationError with every problem at once. */
export function kafkaConfig(environment: Environment) {
  const values = readVariables(kafkaVariables, environment);
  const problems = [
    ...(values.KAFKA_BROKERS.length === 0
      ? ['KAFKA_BROKERS names no broker: write for example KAFKA_BROKERS=127.0.0.1:9092']
      : []),
    ...(/^[\w.-]{0,100}$/u.test(values.KAFKA_TOPIC_PREFIX)
      ? []
      : ['KAFKA_TOPIC_PREFIX may have letters, digits, dots, dashes and underscores only, at most 100']),
  ];
  const sasl = login(values, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    brokers: values.KAFKA_BROKERS,
    prefix: values.KAFKA_TOPIC_PREFIX,
    ssl: values.KAFKA_SSL,
    sasl,
    partitions: values.KAFKA_PARTITIONS,
    replicationFactor: values.KAFKA_REPLICATION_FACTOR,
    retentionMs: values.KAFKA_RETENTION_MS,
    sessionTimeoutMs: values.KAFKA_SESSION_TIMEOUT_MS,
  } as const;
}

type Login = {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
};

function login(values: Values<typeof kafkaVariables>, problems: string[]): Login | null {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = values;
  if (mechanism !== undefined && username !== undefined && password !== undefined)
    return { mechanism, username, password };
  if (mechanism !== undefined || username !== undefined || password !== undefined) {
    problems.push(
      'KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD belong together: set all three or none',
    );
  }
  return null;
}
