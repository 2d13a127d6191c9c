/** Kafka for one test: topics and groups with a unique prefix in the shared broker, over an embedded journal. */
import { randomUUID } from 'node:crypto';
import type { Admin } from 'kafkajs';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import { ensureTopics } from '../../../shared/engines/kafka/ensure-topics.js';
import { createKafkaClient } from '../../../shared/engines/kafka/kafka-client.js';
import { createKafkaStream, type KafkaStream } from '../../../shared/engines/kafka/kafka-stream.js';
import { type KafkaConfig, kafkaConfig } from '../../../shared/engines/kafka/kafka-variables.js';
import { createSqliteJournal } from '../../../shared/engines/sqlite/journal/sqlite-journal.js';
import type { SqliteHost } from '../../../shared/engines/sqlite/threads/host.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { type Logger, silentLogger } from '../../../shared/kernel/logger.js';
import type { TopicRecords } from '../../../shared/ports/topic-records.js';
import { appendEvents } from '../adapters/journals.js';
import { createLocalTopicRecords } from '../adapters/topic-records.js';
import { until } from '../checks/until.js';
import { serverAddress } from './servers.js';

export type KafkaNames = {
  readonly config: KafkaConfig;
  /** An admin client for the test. */
  readonly admin: Admin;
  /** What the streams of this test remember of its topics. */
  readonly topicRecords: TopicRecords;
  /** Creates the topics as the service does. */
  readonly createTopics: () => Promise<void>;
  /** Removes every topic and group of this test. */
  readonly remove: () => Promise<void>;
};

export async function openKafkaNames(variables: Readonly<Record<string, string>> = {}): Promise<KafkaNames> {
  const prefix = `test-${randomUUID()}.`;
  const config = kafkaConfig({
    KAFKA_BROKERS: serverAddress('kafka'),
    KAFKA_TOPIC_PREFIX: prefix,
    ...variables,
  });
  const kafka = createKafkaClient({ config, logger: silentLogger });
  const admin = kafka.admin();
  await admin.connect();
  const remove = async (): Promise<void> => {
    await removeKafkaNames(admin, prefix);
    await admin.disconnect();
  };
  const createTopics = (): Promise<void> => ensureTopics({ kafka, config });
  return { config, admin, topicRecords: createLocalTopicRecords(), createTopics, remove };
}

/**
 * Removes each topic and group with this prefix. Kafka deletes a group with a killed member only after the session
 * times out.
 */
export async function removeKafkaNames(admin: Admin, prefix: string): Promise<void> {
  await until(
    'the groups of this test are deleted',
    async () => {
      const { groups } = await admin.listGroups();
      const groupIds = groups.map(({ groupId }) => groupId).filter((groupId) => groupId.startsWith(prefix));
      return (
        groupIds.length === 0 ||
        admin.deleteGroups(groupIds).then(
          () => true,
          () => false,
        )
      );
    },
    GROUPS_DEADLINE_MS,
  );
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
  if (topics.length > 0) await admin.deleteTopics({ topics });
}

/** Longer than the session timeout of a killed member. */
const GROUPS_DEADLINE_MS = 45_000;

export type KafkaStreamUnderTest = {
  readonly stream: KafkaStream;
  readonly publish: (events: readonly NewEvent[]) => Promise<readonly RecordedEvent[]>;
  readonly journalOnly: (events: readonly NewEvent[]) => Promise<readonly RecordedEvent[]>;
  /** The positions of events that count as lacking in the graph. Progress passes them. */
  readonly pending: Set<number>;
};

/** `publish` journals the events, appends them to the stream, and then counts them as published, like the relay. */
export function kafkaStreamOver(
  host: SqliteHost,
  { config, topicRecords, history }: Pick<KafkaNames, 'config' | 'topicRecords'> & { readonly history?: string },
  logger: Logger = silentLogger,
): KafkaStreamUnderTest {
  const journal = createSqliteJournal({ host });
  let published = 0;
  const pending = new Set<number>();
  const stream = createKafkaStream({
    config,
    journal,
    outbox: {
      publishedThrough: async () => ({
        position: published,
        complete: Math.min(published, ...[...pending].map((position) => position - 1)),
      }),
      unapplied: async (positions) => new Set(positions.filter((position) => pending.has(position))),
    },
    topicRecords,
    ...(history !== undefined && { identity: { id: async () => history } }),
    logger,
  });
  return {
    stream,
    publish: async (events) => {
      const recorded = await host.write(appendEvents, events);
      await until('the stream has accepted the events', () =>
        stream.append(recorded).then(() => true, retryDependencyError),
      );
      published = recorded.at(-1)?.position ?? published;
      return recorded;
    },
    journalOnly: (events) => host.write(appendEvents, events),
    pending,
  };
}

function retryDependencyError(error: unknown): false {
  if (error instanceof DependencyError) return false;
  throw error;
}
