import { expect } from 'chai';
import { filterByScore, scoreFloor } from '../../../../../query-api/recall/rank/score-floor.js';
import { evidenceOf, numbersOf, resultOf } from '../results.js';

describe('score filter', () => {
  const results = [0.9, 0.5, 0.4, 0.3].map((score, index) => resultOf(index + 1, score));

  it('drops and counts results below the floor, and keeps the order', () => {
    const {
      results: kept,
      floor,
      filteredCount,
    } = filterByScore(results, { minScore: 0, adaptiveFloor: true, sort: 'score' });
    expect(numbersOf(kept)).to.deep.equal([1, 2]);
    expect({ floor, filteredCount }).to.deep.equal({ floor: 0.5, filteredCount: 2 });
  });

  it('applies the floor neither to named nor to expanded results', () => {
    const others = [
      { ...resultOf(7, 0.1), evidence: [evidenceOf('relation')] },
      { ...resultOf(8, 2), evidence: [evidenceOf('priority')] },
    ];
    const { results: kept, floor } = filterByScore([...results, ...others], {
      minScore: 0,
      adaptiveFloor: true,
      sort: 'score',
    });
    expect(numbersOf(kept)).to.deep.equal([1, 2, 7, 8]);
    expect(floor).to.equal(0.5);
  });

  it('has no floor when it is off or the order is by time', () => {
    for (const plan of [
      { minScore: 0, adaptiveFloor: false, sort: 'score' },
      { minScore: 0, adaptiveFloor: true, sort: 'time_desc' },
    ] as const) {
      expect(filterByScore(results, plan)).to.deep.equal({ results, floor: null, filteredCount: 0 });
    }
  });

  it('drops and counts all results below min_score', () => {
    const others = [{ ...resultOf(7, 0.1), evidence: [evidenceOf('relation')] }];
    const {
      results: kept,
      floor,
      filteredCount,
    } = filterByScore([...results, ...others], { minScore: 0.4, adaptiveFloor: false, sort: 'time_asc' });
    expect(numbersOf(kept)).to.deep.equal([1, 2, 3]);
    expect({ floor, filteredCount }).to.deep.equal({ floor: null, filteredCount: 2 });
  });
});

describe('the adaptive floor', () => {
  const cases: readonly (readonly [string, readonly number[], number | null])[] = [
    ['is the score after a steep gap', [0.9, 0.5, 0.4, 0.3], 0.5],
    ['needs more than three results', [0.9, 0.1, 0.1], null],
    ['needs a gap of more than a quarter of the best score', [0.8, 0.61, 0.5, 0.4], null],
    ['ignores gaps in the lower half', [0.9, 0.88, 0.86, 0.84, 0.82, 0.2], null],
    ['uses the first three of few results', [0.9, 0.89, 0.5, 0.49], 0.5],
    ['is null when fewer than half would remain', [0.9, 0.4, 0.3, 0.2, 0.1], null],
    ['is null when it would drop nothing', [0.9, 0.4, 0.4, 0.4], null],
    ['uses the first of equal gaps', [1, 0.5, 0, 0], 0.5],
    ['does not depend on the order', [0.3, 0.9, 0.4, 0.5], 0.5],
    ['is null without results', [], null],
    ['is null when all scores are 0', [0, 0, 0, 0], null],
  ];
  for (const [title, scores, floor] of cases) {
    it(title, () => expect(scoreFloor(scores)).to.equal(floor));
  }
});
