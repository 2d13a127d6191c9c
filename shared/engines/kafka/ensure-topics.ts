/**
 * Creates our topics where they are missing. Existing topics with other settings are kept, with a warning. Several
 * processes may do this at the same time.
 */
import kafkajs, { type Admin, type Kafka } from 'kafkajs'; // Node detects only some of its named exports
import type { Logger } from '../../kernel/logger.js';
import { createKafkaAdmin, type KafkaAdmin } from './kafka-admin.js';
import type { KafkaConfig } from './kafka-variables.js';
import { isTopicMissing } from './stream-failure.js';
import { type TopicSettings, topicSettings } from './topics.js';

/**
 * Opens a connection of its own: a kafkajs connection that has ever requested a topic cannot create that topic after
 * its deletion.
 */
export async function ensureTopics({
  kafka,
  config,
}: {
  readonly kafka: Kafka;
  readonly config: KafkaConfig;
}): Promise<void> {
  const admin = createKafkaAdmin(kafka);
  try {
    const existing = new Set(await admin.call('list the topics', (client) => client.listTopics()));
    const wanted = topicSettings(config);
    const missing = wanted.filter(({ topic }) => !existing.has(topic));
    // A broker hears of a topic some milliseconds after the controller has created it.
    if (missing.length > 0) await admin.call('create the topics', (client) => create(client, missing), isTopicMissing);
    // The list may still name a topic that was just deleted, and a new leader rejects requests for its partitions for
    // some milliseconds.
    for (const { topic } of wanted)
      await admin.call('lead its topics', (client) => client.fetchTopicOffsets(topic), isTopicMissing);
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

/** What a setting that differs can lead to. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  'flush.messages':
    'a power loss can take events that Kafka has acknowledged; consumers outside of this service miss them',
  'unclean.leader.election.enable': 'a new leader can lack events that Kafka has acknowledged',
  'min.insync.replicas': 'an acknowledged event can be on fewer brokers than intended',
  replicas: 'one lost broker can take the topic, or acknowledged events of it',
};

/** Warns of each topic whose partitions, replicas or settings differ from the current configuration. */
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
    const found = await admin.call('describe the topics', (client) => describe(client, wanted));
    const different = Object.entries(expected(wanted)).filter(([name, value]) => found[name] !== value);
    for (const [name, value] of different) {
      logger.warn(
        { topic, setting: name, found: found[name], expected: value, consequence: CONSEQUENCES[name] },
        'topic differs from its settings: alter the topic, or the variable',
      );
    }
  }
}

function expected({
  numPartitions,
  replicationFactor,
  configEntries,
}: TopicSettings): Readonly<Record<string, string>> {
  return {
    partitions: String(numPartitions),
    replicas: String(replicationFactor),
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
  const partitions = topics[0]?.partitions ?? [];
  return {
    partitions: String(partitions.length),
    replicas: String(Math.min(...partitions.map(({ replicas }) => replicas.length))),
    ...(Object.fromEntries(found) as Record<string, string>),
  };
}
