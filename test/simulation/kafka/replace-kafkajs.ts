/** Makes each client of kafkajs in this process a client of the simulated broker. */
import kafkajs, {
  type Admin,
  type ITopicConfig,
  type Kafka,
  type Message,
  type Producer,
  type ProducerConfig,
  type ProducerRecord,
} from 'kafkajs';
import type { SimulatedProcess, World } from '../world/world.js';
import type { ProducerFence, SimulatedBroker } from './simulated-broker.js';
import { createSimulatedConsumer } from './simulated-consumer.js';

/** Returns the function that undoes it. A client belongs to the process that runs when it is made. */
export function replaceKafkajs(world: World, broker: SimulatedBroker): () => void {
  const { prototype } = kafkajs.Kafka;
  const { admin, producer, consumer } = prototype;
  const owner = (): SimulatedProcess => {
    const process = world.currentProcess();
    if (!process) throw new Error('A client of Kafka is made outside of a simulated process');
    return process;
  };
  Object.assign(prototype, createSimulatedKafka({ world, broker, owner }));
  return () => Object.assign(prototype, { admin, producer, consumer });
}

/** The part of a client of kafkajs that production uses. `owner`: the process that makes a client. */
export function createSimulatedKafka({
  world,
  broker,
  owner,
}: {
  readonly world: World;
  readonly broker: SimulatedBroker;
  readonly owner: () => SimulatedProcess;
}): Pick<Kafka, 'admin' | 'producer' | 'consumer'> {
  return {
    admin: () => createAdmin(world, broker, owner()),
    producer: (config) => createProducer(world, broker, { process: owner(), config: config ?? {} }),
    consumer: (config) =>
      createSimulatedConsumer({ world, broker, process: owner(), config: config ?? { groupId: '' } }),
  };
}

function createProducer(
  world: World,
  broker: SimulatedBroker,
  { process, config: { transactionalId } }: { readonly process: SimulatedProcess; readonly config: ProducerConfig },
): Producer {
  let fence: ProducerFence | null = null;
  const send = ({ topic, messages }: ProducerRecord) =>
    world.call(process, `topic.append ${messages.map(({ value }) => positionOf(value)).join(' ')}`, () => {
      broker.requireUp();
      const first = new Map<number, number>();
      const refused: unknown[] = [];
      const sizes = sizesOf(messages);
      for (const { key, value, headers = {}, partition = 0 } of messages) {
        const record = { key: String(key), value: String(value), headers, at: world.now(), process: process.name };
        try {
          broker.requireSize(topic, sizes.get(partition) ?? 0);
          const offset = broker.append(topic, partition, record, fence);
          if (!first.has(partition)) first.set(partition, offset);
        } catch (error) {
          refused.push(error);
        }
      }
      // The other partitions keep their records.
      if (refused.length > 0) throw refused[0];
      return [...first].map(([partition, offset]) => ({
        topicName: topic,
        partition,
        errorCode: 0,
        baseOffset: String(offset),
      }));
    });
  const producer = {
    connect: async () => {
      if (transactionalId !== undefined)
        fence = await world.call(process, 'kafka.initProducer', () => {
          broker.requireUp();
          return broker.openProducer(transactionalId);
        });
    },
    disconnect: () => Promise.resolve(),
    transaction: () => Promise.resolve({ send }),
    send,
  };
  // Production uses no other part of a producer.
  return producer as unknown as Producer;
}

/** The bytes of keys and values for each partition: kafkajs sends them as one batch. */
function sizesOf(messages: readonly Message[]): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  for (const { key, value, partition = 0 } of messages) {
    const bytes = Buffer.byteLength(key ?? '') + Buffer.byteLength(value ?? '');
    sizes.set(partition, bytes + (sizes.get(partition) ?? 0));
  }
  return sizes;
}

function positionOf(value: unknown): unknown {
  return (JSON.parse(String(value)) as { readonly position?: number }).position ?? '-';
}

function createAdmin(world: World, broker: SimulatedBroker, process: SimulatedProcess): Admin {
  const call = <T>(step: string, serve: () => T): Promise<T> =>
    world.call(process, `kafka.${step}`, () => {
      broker.requireUp();
      return serve();
    });
  const admin = {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    listTopics: () => call('listTopics', () => [...broker.topics()]),
    createTopics: ({ topics }: { readonly topics: readonly ITopicConfig[] }) =>
      call('createTopics', () => {
        for (const { topic, numPartitions = 1, configEntries = [] } of topics) {
          const limit = configEntries.find(({ name }) => name === 'max.message.bytes');
          broker.createTopic(topic, numPartitions, limit && Number(limit.value));
        }
        return true;
      }),
    fetchTopicOffsets: (topic: string) =>
      call('fetchTopicOffsets', () =>
        broker.logs(topic).map((log, partition) => ({
          partition,
          offset: String(log.length),
          low: '0',
          high: String(log.length),
        })),
      ),
    fetchTopicMetadata: ({ topics }: { readonly topics: readonly string[] }) =>
      call('fetchTopicMetadata', () => ({
        topics: topics.map((name) => ({
          name,
          partitions: broker.logs(name).map((_, partitionId) => ({ partitionId, replicas: [1] })),
        })),
      })),
    fetchOffsets: ({ groupId, topics }: { readonly groupId: string; readonly topics: readonly string[] }) =>
      call('fetchOffsets', () =>
        topics.map((topic) => ({
          topic,
          partitions: broker.logs(topic).map((_, partition) => ({
            partition,
            ...(broker.offsets(groupId, topic).get(partition) ?? { offset: '-1', metadata: null }),
          })),
        })),
      ),
    describeCluster: () => call('describeCluster', () => ({ brokers: [], controller: 1, clusterId: 'simulated' })),
    describeConfigs: () => call('describeConfigs', () => ({ resources: [], throttleTime: 0 })),
  };
  // Production uses no other part of an admin client.
  return admin as unknown as Admin;
}
