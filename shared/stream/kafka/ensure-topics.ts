/** Creates our topics where they are missing; what somebody made differently is left as it is, and said. Many may do it at once. */
import kafkajs, { type Admin, type Kafka } from 'kafkajs'; // Node finds only some of its names by itself
import type { Logger } from '../../kernel/logger.js';
import { createKafkaAdmin, type KafkaAdmin } from './create-kafka-admin.js';
import type { KafkaConfig } from './kafka-variables.js';
import { topicSettings, type TopicSettings } from './topics.js';

/** Over a connection of its own: kafkajs lets none create a topic that it has ever asked for, once that topic is gone. */
export async function ensureTopics({
  kafka,
  config,
}: {
  readonly kafka: Kafka;
  readonly config: KafkaConfig;
}): Promise<void> {
  const admin = createKafkaAdmin(kafka);
  try {
    const existing = new Set(await admin.ask('list the topics', (client) => client.listTopics()));
    const wanted = topicSettings(config);
    const missing = wanted.filter(({ topic }) => !existing.has(topic));
    if (missing.length > 0) await admin.ask('create the topics', (client) => create(client, missing));
    // A list may still name what was just deleted, and a new leader refuses its partitions for some milliseconds.
    for (const { topic } of wanted) await admin.ask('lead its topics', (client) => client.fetchTopicOffsets(topic));
  } finally {
    await admin.close();
  }
}

async function create(client: Admin, topics: readonly TopicSettings[]): Promise<void> {
  try {
    await client.createTopics({ topics: [...topics], waitForLeaders: true });
  } catch (error) {
    const failures: readonly unknown[] = error instanceof kafkajs.KafkaJSAggregateError ? error.errors : [error];
    const failure = failures.find(
      (one) => !(one instanceof Error && 'type' in one && one.type === 'TOPIC_ALREADY_EXISTS'),
    );
    if (failure !== undefined) throw failure;
  }
}

/** Warns of each topic whose partitions or settings are not those that would be chosen today. */
export async function compareTopics({
  admin,
  config,
  logger,
}: {
  readonly admin: KafkaAdmin;
  readonly config: KafkaConfig;
  readonly logger: Logger;
}): Promise<void> {
  for (const wanted of topicSettings(config)) {
    const { topic } = wanted;
    const found = await admin.ask('describe the topics', (client) => describe(client, wanted));
    const different = Object.entries(expected(wanted)).filter(([name, value]) => found[name] !== value);
    for (const [name, value] of different) {
      logger.warn(
        { topic, setting: name, found: found[name], expected: value },
        'A topic differs from its settings: alter the topic, or the variable',
      );
    }
  }
}

function expected({ numPartitions, configEntries }: TopicSettings): Readonly<Record<string, string>> {
  return {
    partitions: String(numPartitions),
    ...Object.fromEntries(configEntries.map(({ name, value }) => [name, value])),
  };
}

async function describe(
  client: Admin,
  { topic, configEntries }: TopicSettings,
): Promise<Readonly<Record<string, string>>> {
  const resource = {
    type: kafkajs.ConfigResourceTypes.TOPIC,
    name: topic,
    configNames: configEntries.map(({ name }) => name),
  };
  const { resources } = await client.describeConfigs({ resources: [resource], includeSynonyms: false });
  const { topics } = await client.fetchTopicMetadata({ topics: [topic] });
  const found = resources
    .flatMap((one) => one.configEntries)
    .map(({ configName, configValue }) => [configName, configValue]);
  return {
    partitions: String(topics[0]?.partitions.length ?? 0),
    ...(Object.fromEntries(found) as Record<string, string>),
  };
}
