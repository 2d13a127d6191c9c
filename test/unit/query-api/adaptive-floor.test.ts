import { expect } from 'chai';
import { applyAdaptiveFloor, floorOf } from '../../../query-api/recall/adaptive-floor.js';
import { evidenceOf, numbersOf, resultOf } from './results.js';

describe('the adaptive floor', () => {
  const cases: readonly (readonly [string, readonly number[], number | null])[] = [
    ['is the score right below a steep fall', [0.9, 0.5, 0.4, 0.3], 0.5],
    ['needs more than three results', [0.9, 0.1, 0.1], null],
    ['needs a fall of more than a quarter of the best', [0.8, 0.61, 0.5, 0.4], null],
    ['does not look below the upper half', [0.9, 0.88, 0.86, 0.84, 0.82, 0.2], null],
    ['looks at three of few results', [0.9, 0.89, 0.5, 0.49], 0.5],
    ['stays off where fewer than half would be left', [0.9, 0.4, 0.3, 0.2, 0.1], null],
    ['stays off where it would drop nothing', [0.9, 0.4, 0.4, 0.4], null],
    ['takes the first of falls of the same width', [1, 0.5, 0, 0], 0.5],
    ['does not depend on the order', [0.3, 0.9, 0.4, 0.5], 0.5],
    ['is none for no results', [], null],
    ['is none where nothing scores', [0, 0, 0, 0], null],
  ];
  for (const [title, scores, floor] of cases) {
    it(title, () => expect(floorOf(scores)).to.equal(floor));
  }

  const results = [0.9, 0.5, 0.4, 0.3].map((score, index) => resultOf(index + 1, score));

  it('drops and counts what is below, and keeps the order', () => {
    const { results: kept, floor, filteredCount } = applyAdaptiveFloor(results, { adaptiveFloor: true, sort: 'score' });
    expect(numbersOf(kept)).to.deep.equal([1, 2]);
    expect({ floor, filteredCount }).to.deep.equal({ floor: 0.5, filteredCount: 2 });
  });

  it('neither judges nor drops what the caller named or what expansion added', () => {
    const others = [{ ...resultOf(7, 0.1), evidence: [evidenceOf('relation')] }, { ...resultOf(8, 2), evidence: [evidenceOf('priority')] }];
    const { results: kept, floor } = applyAdaptiveFloor([...results, ...others], { adaptiveFloor: true, sort: 'score' });
    expect(numbersOf(kept)).to.deep.equal([1, 2, 7, 8]);
    expect(floor).to.equal(0.5);
  });

  it('drops nothing where it is off or the order is another', () => {
    for (const plan of [{ adaptiveFloor: false, sort: 'score' }, { adaptiveFloor: true, sort: 'time_desc' }] as const) {
      expect(applyAdaptiveFloor(results, plan)).to.deep.equal({ results, floor: null, filteredCount: 0 });
    }
  });
});
