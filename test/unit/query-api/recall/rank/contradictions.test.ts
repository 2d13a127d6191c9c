import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import { type Contradiction, rankNewerFirst as rank } from '../../../../../query-api/recall/rank/contradictions.js';
import { weightedSum } from '../../../../../query-api/recall/score/match-points.js';
import type { SelectedResult } from '../../../../../query-api/recall/select/select-results.js';
import type { AssociationType } from '../../../../../shared/contract/association.js';
import { numberedId } from '../memories.js';
import { january, NO_COMPONENTS, numbersOf, resultOf } from '../results.js';

const between = (source: number, target: number, type: AssociationType = 'CONTRADICTS'): Contradiction => ({
  source: numberedId(source),
  target: numberedId(target),
  type,
});

const { weights } = queryConfig({}).recall.scoring;
const rankNewerFirst = (results: readonly SelectedResult[], pairs: readonly Contradiction[]) =>
  rank(results, pairs, { weights, ranksByCloseness: false });
/** All of its score is one component without a weight. */
const scoredOf = (...[number, score, fields]: Parameters<typeof resultOf>): SelectedResult => ({
  ...resultOf(number, score, fields),
  components: { ...NO_COMPONENTS, context: score },
});

describe('rankNewerFirst', () => {
  /** The oldest has the highest score; the numbers are the days. */
  const results = [
    scoredOf(1, 0.9, { timestamp: january(1) }),
    scoredOf(5, 0.7, { timestamp: january(5) }),
    scoredOf(2, 0.5, { timestamp: january(2) }),
    scoredOf(3, 0.3, { timestamp: january(3) }),
  ];

  it('raises the newer result to the score of the older, in either direction', () => {
    for (const contradiction of [between(1, 3), between(3, 1)]) {
      const ranked = rankNewerFirst(results, [contradiction]);
      expect(numbersOf(ranked)).to.deep.equal([3, 1, 5, 2]);
      expect(ranked[0]).to.deep.include({ score: 0.9, originalScore: 0.3 });
      expect(ranked[0]?.components.context).to.equal(0.9);
    }
  });

  it('ranks the newest first along a chain', () => {
    expect(numbersOf(rankNewerFirst(results, [between(2, 3), between(1, 2)]))).to.deep.equal([3, 2, 1, 5]);
  });

  it('raises the newer result above a closer one, for a query by vector alone', () => {
    const close = (number: number, vector: number, importance: number): SelectedResult => {
      const components = { ...NO_COMPONENTS, vector, importance };
      const score = weightedSum(components, weights);
      return { ...resultOf(number, score, { timestamp: january(number) }), components };
    };
    const ordered = [close(1, 1, 0), close(3, 0.99, 0), close(2, 0.9, 1)];
    const ranked = rank(ordered, [between(1, 2)], { weights, ranksByCloseness: true });
    expect(numbersOf(ranked)).to.deep.equal([2, 1, 3]);
  });

  it('ranks a successor first, whatever the dates', () => {
    expect(numbersOf(rankNewerFirst(results, [between(5, 1, 'EVOLVED_INTO')]))).to.deep.equal([1, 5, 2, 3]);
    expect(numbersOf(rankNewerFirst(results, [between(5, 2, 'INVALIDATED_BY')]))).to.deep.equal([1, 2, 5, 3]);
  });

  it('keeps a newer result with the higher score unchanged', () => {
    expect(rankNewerFirst(results, [between(2, 5)])).to.deep.equal(results);
  });

  it('changes nothing for equal timestamps', () => {
    const same = [scoredOf(1, 0.9), scoredOf(2, 0.5)];
    expect(rankNewerFirst(same, [between(1, 2)])).to.deep.equal(same);
  });

  it('changes nothing for memories that are not results', () => {
    expect(rankNewerFirst(results, [between(1, 9), between(9, 1), between(1, 1)])).to.equal(results);
    expect(rankNewerFirst(results, [])).to.equal(results);
  });

  it('terminates for a cycle', () => {
    const ranked = rankNewerFirst(results, [
      between(1, 2, 'EVOLVED_INTO'),
      between(2, 3, 'EVOLVED_INTO'),
      between(3, 1, 'EVOLVED_INTO'),
    ]);
    expect([...numbersOf(ranked)].sort()).to.deep.equal([1, 2, 3, 5]);
    expect(ranked.map(({ score }) => score)).to.deep.equal([0.9, 0.9, 0.9, 0.7]);
  });
});
