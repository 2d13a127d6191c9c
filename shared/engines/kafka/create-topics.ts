/** Creates the topics that are absent, and warns of settings that differ. */
import type { Logger } from '../../kernel/logger.js';
import { compareTopics, ensureTopics } from './ensure-topics.js';
import { createKafkaAdmin } from './kafka-admin.js';
import { createKafkaClient } from './kafka-client.js';
import type { KafkaConfig } from './kafka-variables.js';

export async function createTopics({
  config,
  logger,
}: {
  readonly config: KafkaConfig;
  readonly logger: Logger;
}): Promise<void> {
  const kafka = createKafkaClient({ config, logger });
  const admin = createKafkaAdmin(kafka);
  try {
    await ensureTopics({ kafka, config });
    await compareTopics({ admin, config, logger });
  } finally {
    await admin.close();
  }
}
