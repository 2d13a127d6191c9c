import { expect } from 'chai';
import { floorOf } from '../../../query-api/recall/adaptive-floor.js';

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
});
