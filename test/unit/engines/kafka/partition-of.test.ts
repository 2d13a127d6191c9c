import { expect } from 'chai';
import { createPartitionOf } from '../../../../shared/engines/kafka/partition-of.js';
import { numberedId } from '../../../support/fixtures/events.js';

describe('createPartitionOf', () => {
  it('computes the same partition as every Kafka client', () => {
    // The murmur2 values of Kafka's own tests, made positive, modulo the number of partitions.
    const partitionOf = createPartitionOf(1_000);
    expect([partitionOf('21'), partitionOf('foobar'), partitionOf('a-little-bit-long-string')]).to.deep.equal([
      (-973_932_308 & 0x7fffffff) % 1_000,
      (-790_332_482 & 0x7fffffff) % 1_000,
      (-985_981_536 & 0x7fffffff) % 1_000,
    ]);
  });

  it('distributes memories over all partitions', () => {
    const partitionOf = createPartitionOf(6);
    expect(new Set(Array.from({ length: 100 }, (_, number) => partitionOf(numberedId(number))))).to.have.lengthOf(6);
  });
});
