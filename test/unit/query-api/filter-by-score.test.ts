import { expect } from 'chai';
import { filterByScore } from '../../../query-api/recall/filter-by-score.js';
import { evidenceOf, numbersOf, resultOf } from './results.js';

describe('filtering the answer by score', () => {
  const results = [0.9, 0.5, 0.4, 0.3].map((score, index) => resultOf(index + 1, score));

  it('drops and counts what is below, and keeps the order', () => {
    const {
      results: kept,
      floor,
      filteredCount,
    } = filterByScore(results, { minScore: 0, adaptiveFloor: true, sort: 'score' });
    expect(numbersOf(kept)).to.deep.equal([1, 2]);
    expect({ floor, filteredCount }).to.deep.equal({ floor: 0.5, filteredCount: 2 });
  });

  it('neither judges nor drops what the caller named or what expansion added', () => {
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

  it('drops nothing where it is off or the order is another', () => {
    for (const plan of [
      { minScore: 0, adaptiveFloor: false, sort: 'score' },
      { minScore: 0, adaptiveFloor: true, sort: 'time_desc' },
    ] as const) {
      expect(filterByScore(results, plan)).to.deep.equal({ results, floor: null, filteredCount: 0 });
    }
  });

  it('drops and counts what is below the smallest score, wherever it came from', () => {
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
