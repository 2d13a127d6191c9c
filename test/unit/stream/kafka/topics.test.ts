import { expect } from 'chai';
import { ENVELOPE_LIMIT_BYTES } from '../../../../shared/contract/limits.js';
import { RECORD_BATCH_LIMIT_BYTES } from '../../../../shared/stream/kafka/topics.js';

describe('Kafka topics', () => {
  it('allow record batches larger than two of the largest events', () => {
    expect(RECORD_BATCH_LIMIT_BYTES).to.be.greaterThan(2 * ENVELOPE_LIMIT_BYTES);
  });
});
