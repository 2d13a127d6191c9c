/** Deletes our topics, and with them the offsets of their groups. The relay creates them again. */
import type { Logger } from '../../kernel/logger.js';
import { createKafkaAdmin } from './kafka-admin.js';
import { createKafkaClient } from './kafka-client.js';
import type { KafkaConfig } from './kafka-variables.js';
import { activityTopic, eventTopic } from './topics.js';

export async function deleteTopics({
  config,
  logger,
}: {
  readonly config: KafkaConfig;
  readonly logger: Logger;
}): Promise<void> {
  const admin = createKafkaAdmin(createKafkaClient({ config, logger }));
  try {
    const existing = new Set(await admin.call('list the topics', (client) => client.listTopics()));
    const topics = [eventTopic(config), activityTopic(config)].filter((topic) => existing.has(topic));
    if (topics.length > 0) await admin.call('delete the topics', (client) => client.deleteTopics({ topics }));
  } finally {
    await admin.close();
  }
}
