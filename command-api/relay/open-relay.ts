/**
 * Opens the relay over Postgres and Kafka. Its port only answers health checks. The relay that leads also reports the
 * gauges of the whole service, because there is exactly one; the others only say when the journal does not answer them.
 */
import { kafkaAddress, openKafkaPublisher } from '../../shared/engines/kafka/open.js';
import { openPostgres, postgresAddress } from '../../shared/engines/postgres/open.js';
import { createProbes } from '../../shared/http/edge-handlers.js';
import type { StartContext } from '../../shared/http/run-service.js';
import { watchHistory } from '../../shared/integrity/journal-mark/watch-history.js';
import { isSettled } from '../../shared/journal/is-settled.js';
import { readGauges, readOutage } from '../../shared/journal/read-gauges.js';
import { retryStartup } from '../../shared/kernel/concurrency/startup-retry.js';
import type { RelayProcessConfig } from './process-config.js';
import { createRelay } from './relay.js';

export async function openRelay({
  config,
  logger,
  metrics,
  resources,
  startupRetry,
}: StartContext<RelayProcessConfig>) {
  const { createOutbox, topicRecords, journal, ...ports } = await openPostgres({
    config: config.postgres,
    metrics,
    resources,
    startupRetry,
  });
  const publisher = openKafkaPublisher({ config: config.kafka, topicRecords, logger, resources });
  await retryStartup(kafkaAddress(config.kafka), () => publisher.connect(), startupRetry);
  const outbox = resources.add(createOutbox({ logger, leaseMs: config.relay.leaseMs }), (opened) => opened.close());
  const { deadLetters } = ports;
  const relay = resources.add(createRelay({ outbox, publisher, deadLetters, logger, config: config.relay }), (opened) =>
    opened.close(),
  );
  metrics.report(() => (relay.leads() ? readGauges({ ...ports, journal, outbox }) : readOutage(journal)));
  return {
    tenants: ports.tenants,
    isQuiet: () => isSettled({ ...ports, journal }),
    handlers: createProbes({ journal: () => journal.ping(), stream: () => publisher.ping() }),
    failed: watchHistory({ identity: ports.identity, resources }).changed,
    uses: [postgresAddress(config.postgres), kafkaAddress(config.kafka)],
  };
}
