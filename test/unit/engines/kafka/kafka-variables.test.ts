import { expect } from 'chai';
import { kafkaConfig } from '../../../../shared/engines/kafka/kafka-variables.js';
import { ConfigurationError } from '../../../../shared/kernel/config/config.js';

describe('kafkaConfig', () => {
  it('has a default for every variable and reads those that are set', () => {
    expect(kafkaConfig({})).to.include({ prefix: '', partitions: 6, sasl: null });
    expect(kafkaConfig({ KAFKA_BROKERS: 'a:1, b:2', KAFKA_TOPIC_PREFIX: 'x-' })).to.deep.include({
      brokers: ['a:1', 'b:2'],
      prefix: 'x-',
    });
  });

  it('reports all problems in one error', () => {
    const read = (): unknown =>
      kafkaConfig({ KAFKA_BROKERS: ',', KAFKA_TOPIC_PREFIX: 'a/b', KAFKA_SASL_USERNAME: 'me' });
    expect(read).to.throw(ConfigurationError).with.property('problems').that.has.lengthOf(3);
  });
});
