import { expect } from 'chai';
import { evidenceRecall, qualityLines, reciprocalRank } from '../../../bench/quality/figures.js';

const asked = { evidence: ['a', 'b'], found: ['x', 'a', 'a', 'z', 'w', 'b'] };

describe('recall quality figures', () => {
  it('compute the share of the evidence, each source once', () => {
    expect(evidenceRecall(asked, 5)).to.equal(0.5);
    expect(evidenceRecall(asked, 10)).to.equal(1);
  });

  it('compute the reciprocal rank of the first evidence', () => {
    expect(reciprocalRank(asked)).to.equal(0.5);
    expect(reciprocalRank({ evidence: ['q'], found: ['a'] })).to.equal(0);
  });

  it('show each category with its difference to the best ranker', () => {
    const recall = [
      { ...asked, category: 'temporal' },
      { evidence: ['q'], found: [], category: 'multi-hop' },
    ];
    const perfect = recall.map((one) => ({ ...one, found: one.evidence }));
    const lines = qualityLines(recall, { empty: recall.map((one) => ({ ...one, found: [] })), perfect });
    expect(lines.map((line) => line.split(/\s{2,}/u))).to.deep.equal([
      [
        'category',
        'questions',
        'recall@1',
        'recall@5',
        'recall@10',
        'recall@20',
        'MRR',
        'empty',
        'perfect',
        'to the best',
      ],
      ['all', '2', '0.0', '25.0', '50.0', '50.0', '25.0', '0.0', '100.0', '-50.0'],
      ['multi-hop', '1', '0.0', '0.0', '0.0', '0.0', '0.0', '0.0', '100.0', '-100.0'],
      ['temporal', '1', '0.0', '50.0', '100.0', '100.0', '50.0', '0.0', '100.0', '+0.0'],
    ]);
  });
});
