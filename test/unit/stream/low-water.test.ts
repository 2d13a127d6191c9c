import { expect } from 'chai';
import { createLowWater } from '../../../shared/stream/kafka/create-low-water.js';

describe('the low-water mark of partitions', () => {
  it('rises to a mark once everything before its offset is handled', () => {
    const lowWater = createLowWater();
    lowWater.mark(0, { offset: 10n, position: 7 });
    lowWater.reached(0, 9n);
    expect(lowWater.of(0)).to.equal(0);
    expect(lowWater.at(0, 10n)).to.equal(7);
    lowWater.reached(0, 10n);
    expect(lowWater.of(0)).to.equal(7);
  });

  it('keeps the first mark, so that a stream that never rests moves on', () => {
    const lowWater = createLowWater();
    lowWater.mark(0, { offset: 10n, position: 7 });
    lowWater.mark(0, { offset: 20n, position: 15 });
    lowWater.reached(0, 12n);
    expect(lowWater.of(0)).to.equal(7);
    lowWater.mark(0, { offset: 30n, position: 22 });
    lowWater.reached(0, 30n);
    expect(lowWater.of(0)).to.equal(22);
  });

  it('is the lowest of the partitions asked for, and never falls', () => {
    const lowWater = createLowWater();
    lowWater.raise(0, 5);
    lowWater.raise(1, 3);
    lowWater.raise(0, 2);
    expect([lowWater.lowest([0]), lowWater.lowest([0, 1]), lowWater.lowest([0, 1, 2])]).to.deep.equal([5, 3, 0]);
  });

  it('forgets marks whose offsets count otherwise now, and positions of partitions that have other keys now', () => {
    const lowWater = createLowWater();
    lowWater.sharedOutOver(2);
    lowWater.raise(0, 5);
    lowWater.mark(0, { offset: 10n, position: 7 });
    lowWater.unmark(0);
    lowWater.reached(0, 10n);
    expect(lowWater.of(0)).to.equal(5);
    lowWater.sharedOutOver(2);
    expect(lowWater.of(0)).to.equal(5);
    lowWater.sharedOutOver(3);
    expect(lowWater.of(0)).to.equal(0);
  });
});
