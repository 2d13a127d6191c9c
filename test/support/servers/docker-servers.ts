/**
 * Starts the real servers as containers, from the images that `deploy/compose.yaml` pins. They end with the process
 * that started them.
 */
import {
  GenericContainer,
  RandomPortGenerator,
  type StartedTestContainer,
  type TestContainer,
  Wait,
} from 'testcontainers';
import { readComposeFile } from './compose-file.js';
import type { ServerName } from './servers.js';

const PASSWORD = 'palimpsest-local';
const START_TIMEOUT_MS = 5 * 60_000;

export type RunningServers = {
  readonly variables: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

type Server = {
  readonly container: TestContainer;
  readonly port: number;
  readonly variables: (address: string) => Readonly<Record<string, string>>;
};

/** Starts all four in parallel and resolves with their addresses as variables. */
export async function startDockerServers(): Promise<RunningServers> {
  const kafkaPort = await new RandomPortGenerator().generatePort();
  const servers: Readonly<Record<ServerName, Server>> = {
    neo4j: neo4j(),
    postgres: postgres(),
    kafka: kafka(kafkaPort),
    qdrant: qdrant(),
  };
  const results = await Promise.allSettled(Object.values(servers).map((server) => start(server)));
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(({ container }) => container.stop()));
  };
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0) {
    await stop();
    throw new AggregateError(
      failures,
      `Docker could not start all servers (${String(failures[0])}): check that the Docker daemon runs, or use PALIMPSEST_TEST_SERVERS=local`,
    );
  }
  return { variables: Object.assign({}, ...started.map(({ variables }) => variables)), stop };
}

async function start({
  container,
  port,
  variables,
}: Server): Promise<{ container: StartedTestContainer; variables: Readonly<Record<string, string>> }> {
  const started = await container.withStartupTimeout(START_TIMEOUT_MS).start();
  return { container: started, variables: variables(`${started.getHost()}:${started.getMappedPort(port)}`) };
}

function imageOf(name: ServerName): string {
  const image = readComposeFile().services[name]?.image;
  if (image === undefined)
    throw new Error(
      `deploy/compose.yaml has no image for the service ${name}: add it, or use PALIMPSEST_TEST_SERVERS=local`,
    );
  return image;
}

function neo4j(): Server {
  const container = new GenericContainer(imageOf('neo4j'))
    .withExposedPorts(7687)
    .withEnvironment({ NEO4J_AUTH: `neo4j/${PASSWORD}` })
    .withWaitStrategy(Wait.forLogMessage('Started.'));
  const variables = (address: string) => ({
    PALIMPSEST_TEST_NEO4J_URL: `bolt://${address}`,
    PALIMPSEST_TEST_NEO4J_USER: 'neo4j',
    PALIMPSEST_TEST_NEO4J_PASSWORD: PASSWORD,
  });
  return { container, port: 7687, variables };
}

function postgres(): Server {
  const container = new GenericContainer(imageOf('postgres'))
    .withExposedPorts(5432)
    .withEnvironment({ POSTGRES_USER: 'palimpsest', POSTGRES_PASSWORD: PASSWORD, POSTGRES_DB: 'palimpsest' })
    .withCommand(['postgres', '-c', 'wal_level=logical', '-c', 'max_connections=200'])
    // The image starts Postgres twice: once to create the database, then to serve.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/u, 2));
  return {
    container,
    port: 5432,
    variables: (address) => ({
      PALIMPSEST_TEST_POSTGRES_URL: `postgres://palimpsest:${PASSWORD}@${address}/palimpsest`,
    }),
  };
}

/**
 * A broker sends its own address to its clients. Its outer port must therefore be known before it starts and be the
 * same inside.
 */
function kafka(port: number): Server {
  const container = new GenericContainer(imageOf('kafka'))
    .withExposedPorts({ container: port, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENERS: `PLAINTEXT://0.0.0.0:${port},CONTROLLER://localhost:9093`,
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://localhost:${port}`,
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/u));
  return { container, port, variables: (address) => ({ PALIMPSEST_TEST_KAFKA_BROKERS: address }) };
}

function qdrant(): Server {
  const container = new GenericContainer(imageOf('qdrant'))
    .withExposedPorts(6333)
    .withWaitStrategy(Wait.forHttp('/readyz', 6333));
  return { container, port: 6333, variables: (address) => ({ PALIMPSEST_TEST_QDRANT_URL: `http://${address}` }) };
}
