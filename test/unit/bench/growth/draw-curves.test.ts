import { expect } from 'chai';
import { drawCurves } from '../../../bench/growth/draw-curves.js';

const DRAWN = drawCurves([
  {
    title: 'recalls a second',
    lines: [
      {
        label: 'recalls',
        points: [
          [1_000, 120],
          [10_000, 60],
          [1_000_000, 30],
        ],
      },
      { label: 'stores', points: [[10_000, 0]] },
    ],
  },
]);

/** The places of all dots, in the order of the lines. */
const DOTS = [...DRAWN.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/gu)].map(([, x, y]) => [Number(x), Number(y)]);

describe('drawn curves', () => {
  it('space numbers of memories by their logarithm', () => {
    const [[first = 0] = [], [second = 0] = [], [third = 0] = []] = DOTS;
    expect((third - first) / (second - first)).to.be.closeTo(3, 0.02);
  });

  it('space values from 0 upwards', () => {
    const [[, most = 0] = [], [, half = 0] = [], , [, none = 0] = []] = DOTS;
    expect((none - most) / (none - half)).to.be.closeTo(2, 0.02);
  });

  it('label the axes, the title and each line', () => {
    const texts = [...DRAWN.matchAll(/<text[^>]*>([^<]*)<\/text>/gu)].map(([, text]) => text);
    expect(texts).to.include.members(['recalls a second', 'recalls', 'stores', '1k', '10k', '1M', '0', '100']);
  });
});
