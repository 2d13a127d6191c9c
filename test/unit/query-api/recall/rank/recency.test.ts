import { expect } from 'chai';
import { rerankByRecency } from '../../../../../query-api/recall/rank/rank.js';
import { evidenceOf, january, numbersOf, resultOf } from '../results.js';

describe('recency rerank', () => {
  const results = [
    resultOf(1, 0.5, { timestamp: january(1) }),
    resultOf(2, 0.48, { timestamp: january(11) }),
    resultOf(3, 0.3, { timestamp: january(6) }),
  ];
  const rerank = (recencyWeight: number | null, given = results) =>
    rerankByRecency(given, { recencyWeight, sort: 'score' });

  it('adds the full weight to the newest, none to the oldest and a share between', () => {
    const { results: reranked, isReranked } = rerank(0.1);
    expect(isReranked).to.equal(true);
    expect(numbersOf(reranked)).to.deep.equal([2, 1, 3]);
    expect(reranked.map(({ components }) => components.temporal)).to.deep.equal([1, 0, 0.5]);
    expect(reranked.map(({ score }) => Number(score.toFixed(6)))).to.deep.equal([0.58, 0.5, 0.35]);
    expect(reranked.map(({ originalScore }) => originalScore)).to.deep.equal([0.48, 0.5, 0.3]);
  });

  it('reports that it ran when equal timestamps change nothing', () => {
    const same = [resultOf(1, 0.5), resultOf(2, 0.4)];
    expect(rerank(0.1, same)).to.deep.equal({ results: same, isReranked: true });
  });

  it('does not run without a weight, without results or in an order by time', () => {
    expect(rerank(null)).to.deep.equal({ results, isReranked: false });
    expect(rerank(0.1, []).isReranked).to.equal(false);
    expect(rerankByRecency(results, { recencyWeight: 0.1, sort: 'time_asc' })).to.deep.equal({
      results,
      isReranked: false,
    });
  });

  it('keeps named results first and expanded results last', () => {
    const [named, added] = [[evidenceOf('priority')], [evidenceOf('entity')]];
    const on = { timestamp: january(1) };
    const caller = [
      { ...resultOf(8, 0.1, on), evidence: named },
      { ...resultOf(9, 0.2, on), evidence: named },
    ];
    const given = [...caller, ...results, { ...resultOf(4, 0.9, on), evidence: added }];
    expect(numbersOf(rerank(0.1, given).results)).to.deep.equal([8, 9, 2, 1, 3, 4]);
  });
});
