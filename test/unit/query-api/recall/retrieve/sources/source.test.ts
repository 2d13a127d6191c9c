import { expect } from 'chai';
import { queryConfig } from '../../../../../../query-api/config.js';
import { planRecall } from '../../../../../../query-api/recall/plan/plan-recall.js';
import { hitsOfPasses } from '../../../../../../query-api/recall/retrieve/sources/source.js';
import { NOW, numberedId } from '../../memories.js';

describe('source hits', () => {
  it('have their rank within the pass that found them', async () => {
    const plan = planRecall({ query: 'redis' }, { config: queryConfig({}).recall, dimension: 4, now: NOW });
    const found = { current: [1, 2], lapsed: [3], unarchived: [] } as const;
    const hits = await hitsOfPasses(
      plan,
      async ({ filter }) => found[filter.state],
      (number) => ({ id: numberedId(number), evidence: { source: 'keyword' } }),
    );
    expect(hits).to.deep.equal([
      { id: numberedId(1), evidence: { source: 'keyword', pass: 'current', rank: 1 } },
      { id: numberedId(2), evidence: { source: 'keyword', pass: 'current', rank: 2 } },
      { id: numberedId(3), evidence: { source: 'keyword', pass: 'lapsed', rank: 1 } },
    ]);
  });
});
