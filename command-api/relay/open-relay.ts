/** The relay over its servers, Postgres and Kafka. It serves nobody: its port answers probes alone. */
import { demandAnswers } from '../../shared/http/demand-answers.js';
import { createProbes } from '../../shared/http/edge-handlers.js';
import type { Opened, Opening } from '../../shared/http/run-service.js';
import { createPostgresJournal } from '../../shared/journal/postgres/create-postgres-journal.js';
import { createPostgresOutbox } from '../../shared/journal/postgres/create-postgres-outbox.js';
import { journalMigrations } from '../../shared/journal/postgres/migrations.js';
import { keepTrying } from '../../shared/kernel/keep-trying.js';
import { openPostgres, postgresPlace } from '../../shared/postgres/open-postgres.js';
import { createKafkaPublisher } from '../../shared/stream/kafka/create-kafka-publisher.js';
import { kafkaPlace } from '../../shared/stream/kafka/kafka-variables.js';
import { createRelay } from './create-relay.js';
import type { RelayProcessConfig } from './process-config.js';

export async function openRelay({ config, logger, resources, patience }: Opening<RelayProcessConfig>): Promise<Opened> {
  const postgres = await openPostgres({ config: config.postgres, rooms: [journalMigrations], resources, patience });
  const publisher = resources.add(createKafkaPublisher({ config: config.kafka, logger }), (opened) => opened.close());
  await keepTrying(kafkaPlace(config.kafka), () => publisher.connect(), patience);
  const outbox = resources.add(createPostgresOutbox({ postgres, logger, leaseMs: config.relay.leaseMs }), (opened) =>
    opened.close(),
  );
  resources.add(createRelay({ outbox, publisher, logger, config: config.relay }), (opened) => opened.close());
  const journal = createPostgresJournal({ postgres });
  return {
    handlers: createProbes(() => demandAnswers({ journal: () => journal.ping(), stream: () => publisher.ping() })),
    uses: [postgresPlace(config.postgres), kafkaPlace(config.kafka)],
  };
}
