import { expect } from 'chai';
import { ENVELOPE_LIMIT_BYTES } from '../../../../shared/contract/limits.js';
import { kafkaConfig } from '../../../../shared/engines/kafka/kafka-variables.js';
import { eventTopic, RECORD_BATCH_LIMIT_BYTES, topicSettings } from '../../../../shared/engines/kafka/topics.js';

/** The settings of the event topic with this number of replicas. */
function eventSettings(replicas: number): Readonly<Record<string, string>> {
  const config = kafkaConfig({ KAFKA_REPLICATION_FACTOR: String(replicas) });
  const entries = topicSettings(config).find(({ topic }) => topic === eventTopic(config))?.configEntries ?? [];
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

describe('Kafka topics', () => {
  it('allow record batches larger than two of the largest events', () => {
    expect(RECORD_BATCH_LIMIT_BYTES).to.be.greaterThan(2 * ENVELOPE_LIMIT_BYTES);
  });

  it('never elect a leader that lacks acknowledged records', () => {
    for (const replicas of [1, 2, 3, 5])
      expect(eventSettings(replicas)).to.include({ 'unclean.leader.election.enable': 'false' });
  });

  it('flush each event where an acknowledged event may be on one broker alone', () => {
    for (const replicas of [1, 2])
      expect(eventSettings(replicas)).to.include({ 'min.insync.replicas': '1', 'flush.messages': '1' });
    expect(eventSettings(3)).to.include({ 'min.insync.replicas': '2' }).and.not.to.have.property('flush.messages');
  });
});
