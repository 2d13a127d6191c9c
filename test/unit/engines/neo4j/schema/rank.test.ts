import { expect } from 'chai';
import { RANK_ID_FROM, rankOf } from '../../../../../shared/engines/neo4j/schema/rank.js';
import { TRENDING_ORDERS } from '../../../../support/checks/trending-orders.js';
import { memory, memoryId } from '../../../../support/fixtures/memories.js';
import { seededRandom } from '../../../../support/fixtures/random.js';

describe('Neo4j memory rank', () => {
  const timestamps = [
    '0001-01-01T00:00:00+00:00',
    '2024-02-03T04:05:06+00:00',
    '2024-02-03T04:05:06.000001+00:00',
    '2024-02-03T04:05:06.100000+00:00',
    '9999-12-31T23:59:59.999999+00:00',
  ];

  it('orders by descending importance, descending timestamp, ascending id', () => {
    const random = seededRandom(3);
    const importances = [0, -0, 5e-324, 0.1, 0.30000000000000004, 0.3, 0.5, 1 - 2 ** -53, 1];
    const memories = Array.from({ length: 400 }, (_, index) =>
      memory(index, { importance: random.pick(importances), timestamp: random.pick(timestamps) }),
    );
    const byRank = [...memories].sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
    expect(byRank.map(({ id }) => id)).to.deep.equal(
      [...memories].sort(TRENDING_ORDERS.importance).map(({ id }) => id),
    );
  });

  it('ends with the id, always at the same position', () => {
    for (const timestamp of timestamps)
      expect(rankOf(memory(7, { timestamp })).slice(RANK_ID_FROM)).to.equal(memoryId(7));
  });
});
