import { expect } from 'chai';
import { createLowWatermark } from '../../../../../shared/engines/kafka/subscription/low-watermark.js';

describe('low watermark', () => {
  it('rises to the position of a mark once everything before its offset is handled', () => {
    const lowWater = createLowWatermark();
    lowWater.mark(0, { offset: 10n, position: 7 });
    lowWater.handledUpTo(0, 9n);
    expect(lowWater.of(0)).to.equal(0);
    expect(lowWater.at(0, 10n)).to.equal(7);
    lowWater.handledUpTo(0, 10n);
    expect(lowWater.of(0)).to.equal(7);
  });

  it('keeps the first mark until it is reached', () => {
    const lowWater = createLowWatermark();
    lowWater.mark(0, { offset: 10n, position: 7 });
    lowWater.mark(0, { offset: 20n, position: 15 });
    lowWater.handledUpTo(0, 12n);
    expect(lowWater.of(0)).to.equal(7);
    lowWater.mark(0, { offset: 30n, position: 22 });
    lowWater.handledUpTo(0, 30n);
    expect(lowWater.of(0)).to.equal(22);
  });

  it('returns the lowest watermark of the given partitions, and never falls', () => {
    const lowWater = createLowWatermark();
    lowWater.raise(0, 5);
    lowWater.raise(1, 3);
    lowWater.raise(0, 2);
    expect([lowWater.lowest([0]), lowWater.lowest([0, 1]), lowWater.lowest([0, 1, 2])]).to.deep.equal([5, 3, 0]);
  });

  it('drops marks on unmark, and positions when the partition count changes', () => {
    const lowWater = createLowWatermark();
    lowWater.setPartitionCount(2);
    lowWater.raise(0, 5);
    lowWater.mark(0, { offset: 10n, position: 7 });
    lowWater.unmark(0);
    lowWater.handledUpTo(0, 10n);
    expect(lowWater.of(0)).to.equal(5);
    lowWater.setPartitionCount(2);
    expect(lowWater.of(0)).to.equal(5);
    lowWater.setPartitionCount(3);
    expect(lowWater.of(0)).to.equal(0);
  });
});
