import { expect } from 'chai';
import { completeThrough, createLowWatermark } from '../../../../../shared/engines/kafka/subscription/low-watermark.js';

describe('low watermark', () => {
  it('rises to the position of a mark once everything before its offset is handled', () => {
    const lowWater = createLowWatermark();
    lowWater.mark(0, { offset: 10n, published: completeThrough(7) });
    lowWater.handledUpTo(0, 9n);
    expect(lowWater.of(0)).to.deep.equal(completeThrough(0));
    expect(lowWater.at(0, 10n)).to.deep.equal(completeThrough(7));
    lowWater.handledUpTo(0, 10n);
    expect(lowWater.of(0)).to.deep.equal(completeThrough(7));
  });

  it('keeps the first mark until it is reached', () => {
    const lowWater = createLowWatermark();
    lowWater.mark(0, { offset: 10n, published: completeThrough(7) });
    lowWater.mark(0, { offset: 20n, published: completeThrough(15) });
    lowWater.handledUpTo(0, 12n);
    expect(lowWater.of(0)).to.deep.equal(completeThrough(7));
    lowWater.mark(0, { offset: 30n, published: completeThrough(22) });
    lowWater.handledUpTo(0, 30n);
    expect(lowWater.of(0)).to.deep.equal(completeThrough(22));
  });

  it('returns the lowest watermark of the given partitions, and never falls', () => {
    const lowWater = createLowWatermark();
    lowWater.raise(0, completeThrough(5));
    lowWater.raise(1, completeThrough(3));
    lowWater.raise(0, completeThrough(2));
    const lowest = [lowWater.lowest([0]), lowWater.lowest([0, 1]), lowWater.lowest([0, 1, 2])];
    expect(lowest).to.deep.equal([5, 3, 0].map(completeThrough));
  });

  it('keeps the position without an exception apart from the one of the progress', () => {
    const lowWater = createLowWatermark();
    lowWater.raise(0, { position: 9, complete: 3 });
    lowWater.mark(0, { offset: 10n, published: { position: 8, complete: 5 } });
    expect(lowWater.at(0, 10n)).to.deep.equal({ position: 9, complete: 5 });
    lowWater.raise(1, { position: 6, complete: 6 });
    expect(lowWater.lowest([0, 1])).to.deep.equal({ position: 6, complete: 3 });
  });

  it('drops marks on unmark, and positions when the partition count changes', () => {
    const lowWater = createLowWatermark();
    lowWater.setPartitionCount(2);
    lowWater.raise(0, completeThrough(5));
    lowWater.mark(0, { offset: 10n, published: completeThrough(7) });
    lowWater.unmark(0);
    lowWater.handledUpTo(0, 10n);
    expect(lowWater.of(0)).to.deep.equal(completeThrough(5));
    lowWater.setPartitionCount(2);
    expect(lowWater.of(0)).to.deep.equal(completeThrough(5));
    lowWater.setPartitionCount(3);
    expect(lowWater.of(0)).to.deep.equal(completeThrough(0));
  });
});
