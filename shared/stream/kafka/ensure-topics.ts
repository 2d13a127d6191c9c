/** Creates our topics where they are missing; what somebody made differently is left as it is, and said. Many may do it at once. */
import kafkajs, { type Admin } from 'kafkajs'; // Node finds only some of its names by itself
import { DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import type { KafkaAdmin } from './create-kafka-admin.js';
import type { KafkaConfig } from './kafka-variables.js';
import { topicSettings, type TopicSettings } from './topics.js';
import { waitUntil } from './wait-until.js';

export async function ensureTopics({ admin, config }: { readonly admin: KafkaAdmin; readonly config: KafkaConfig }): Promise<void> {
  const existing = new Set(await admin.ask('list the topics', (client) => client.listTopics()));
  const missing = topicSettings(config).filter(({ topic }) => !existing.has(topic));
  if (missing.length === 0) return;
  await admin.ask('create the topics', (client) => create(client, missing));
  await waitUntil(() => areLed(admin, missing), { signal: AbortSignal.timeout(config.requestTimeoutMs), onFailure: () => undefined /* asked again */ })
    .catch((error: unknown) => {
      throw new DependencyError('stream', `The topics were created and no broker leads them after ${config.requestTimeoutMs} ms: check the brokers`, { cause: error });
    });
}

async function create(client: Admin, topics: readonly TopicSettings[]): Promise<void> {
  try {
    await client.createTopics({ topics: [...topics], waitForLeaders: true });
  } catch (error) {
    const failures: readonly unknown[] = error instanceof kafkajs.KafkaJSAggregateError ? error.errors : [error];
    const failure = failures.find((one) => !(one instanceof Error && 'type' in one && one.type === 'TOPIC_ALREADY_EXISTS'));
    if (failure !== undefined) throw failure;
  }
}

/** For some milliseconds after the metadata name a leader it refuses its partitions all the same. */
async function areLed(admin: KafkaAdmin, topics: readonly TopicSettings[]): Promise<boolean> {
  for (const { topic } of topics) await admin.ask('lead a new topic', (client) => client.fetchTopicOffsets(topic));
  return true;
}

/** Warns of each topic whose partitions or settings are not those that would be chosen today. */
export async function compareTopics({ admin, config, logger }: { readonly admin: KafkaAdmin; readonly config: KafkaConfig; readonly logger: Logger }): Promise<void> {
  for (const wanted of topicSettings(config)) {
    const { topic } = wanted;
    const found = await admin.ask('describe the topics', (client) => describe(client, wanted));
    const different = Object.entries(expected(wanted)).filter(([name, value]) => found[name] !== value);
    for (const [name, value] of different) {
      logger.warn({ topic, setting: name, found: found[name], expected: value }, 'A topic differs from its settings: alter the topic, or the variable');
    }
  }
}

function expected({ numPartitions, configEntries }: TopicSettings): Readonly<Record<string, string>> {
  return { partitions: String(numPartitions), ...Object.fromEntries(configEntries.map(({ name, value }) => [name, value])) };
}

async function describe(client: Admin, { topic, configEntries }: TopicSettings): Promise<Readonly<Record<string, string>>> {
  const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames: configEntries.map(({ name }) => name) };
  const { resources } = await client.describeConfigs({ resources: [resource], includeSynonyms: false });
  const { topics } = await client.fetchTopicMetadata({ topics: [topic] });
  const found = resources.flatMap((one) => one.configEntries).map(({ configName, configValue }) => [configName, configValue]);
  return { partitions: String(topics[0]?.partitions.length ?? 0), ...Object.fromEntries(found) as Record<string, string> };
}
