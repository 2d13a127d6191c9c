/**
 * Opens the relay over Postgres and Kafka. Its port only answers health checks. The relay that leads also reports the figures of the whole
 * service, because there is exactly one; the others only say when the journal does not answer them.
 */
import { createProbes } from '../../shared/http/edge-handlers.js';
import { pingAll } from '../../shared/http/readiness.js';
import type { StartContext, StartedService } from '../../shared/http/run-service.js';
import { journalMigrations } from '../../shared/journal/postgres/migrations.js';
import { createPostgresDeadLetters } from '../../shared/journal/postgres/postgres-dead-letters.js';
import { createPostgresJournal } from '../../shared/journal/postgres/postgres-journal.js';
import { createPostgresOutbox } from '../../shared/journal/postgres/postgres-outbox.js';
import { createPostgresProjectorStates } from '../../shared/journal/postgres/postgres-projector-states.js';
import { readFigures, readOutage } from '../../shared/journal/read-figures.js';
import { retryStartup } from '../../shared/kernel/concurrency/startup-retry.js';
import { openPostgres, postgresPlace } from '../../shared/postgres/open-postgres.js';
import { kafkaPlace } from '../../shared/stream/kafka/kafka-variables.js';
import { createKafkaPublisher } from '../../shared/stream/kafka/publisher/kafka-publisher.js';
import { streamMigrations } from '../../shared/stream/postgres/migrations.js';
import { createPostgresTopicRecords } from '../../shared/stream/postgres/postgres-topic-records.js';
import type { RelayProcessConfig } from './process-config.js';
import { createRelay } from './relay.js';

export async function openRelay({
  config,
  logger,
  metrics,
  resources,
  startupRetry,
}: StartContext<RelayProcessConfig>): Promise<StartedService> {
  const postgres = await openPostgres({
    config: config.postgres,
    rooms: [journalMigrations, streamMigrations],
    metrics,
    resources,
    startupRetry,
  });
  const topicRecords = createPostgresTopicRecords({ postgres });
  const publisher = resources.add(createKafkaPublisher({ config: config.kafka, topicRecords, logger }), (opened) =>
    opened.close(),
  );
  await retryStartup(kafkaPlace(config.kafka), () => publisher.connect(), startupRetry);
  const outbox = resources.add(createPostgresOutbox({ postgres, logger, leaseMs: config.relay.leaseMs }), (opened) =>
    opened.close(),
  );
  const relay = resources.add(createRelay({ outbox, publisher, logger, config: config.relay }), (opened) =>
    opened.close(),
  );
  const journal = createPostgresJournal({ postgres });
  const ports = {
    journal,
    outbox,
    projectorStates: createPostgresProjectorStates({ postgres }),
    deadLetters: createPostgresDeadLetters({ postgres }),
  };
  metrics.report(() => (relay.leads() ? readFigures(ports) : readOutage(journal)));
  return {
    handlers: createProbes(() => pingAll({ journal: () => journal.ping(), stream: () => publisher.ping() })),
    uses: [postgresPlace(config.postgres), kafkaPlace(config.kafka)],
  };
}
