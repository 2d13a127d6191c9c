import { expect } from 'chai';
import { streamSummary } from '../../../../query-api/health/health.js';

describe('streamSummary', () => {
  it('warns of partitions that were added to the topic', () => {
    const summary = streamSummary({ generation: 2, ends: [4n, 5n], partitions: 5 });
    expect(summary).to.include({ partitions: 2, added_partitions: 3, generation: 2 });
    expect(summary?.warning).to.match(/3 more partitions .* KAFKA_PARTITIONS/u);
  });

  it('has no warning while events use every partition', () => {
    expect(streamSummary({ generation: 1, ends: [4n, 5n], partitions: 2 })).to.deep.equal({
      partitions: 2,
      added_partitions: 0,
      generation: 1,
      warning: null,
    });
    expect(streamSummary(null)).to.equal(null);
  });
});
