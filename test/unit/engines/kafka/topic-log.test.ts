import { expect } from 'chai';
import { changedEnds } from '../../../../shared/engines/kafka/topic-log.js';

const ends = (...values: number[]): readonly bigint[] => values.map(BigInt);
const changed = (remembered: readonly bigint[], found: readonly bigint[]): readonly bigint[] | null =>
  changedEnds({ ends: remembered }, found);

describe('changedEnds', () => {
  it('is null while no end is lower than remembered', () => {
    expect(changed(ends(5, 0, 7), ends(5, 0, 7))).to.equal(null);
    expect(changed(ends(5, 0, 7), ends(9, 1, 7))).to.equal(null);
  });

  it('returns the present ends when one end is lower', () => {
    expect(changed(ends(5, 0, 7), ends(9, 1, 6))).to.deep.equal(ends(9, 1, 6));
  });

  it('leaves out partitions that were added', () => {
    expect(changed(ends(5, 7), ends(5, 7, 0, 0))).to.equal(null);
    expect(changed(ends(5, 7), ends(5, 3, 0, 0))).to.deep.equal(ends(5, 3));
    expect(changed(ends(5, 7), ends(4, 3, 0, 0))).to.deep.equal(ends(4, 3));
  });

  it('takes the partitions of a topic that replaced another one', () => {
    expect(changed(ends(5, 0, 7), ends(0, 0))).to.deep.equal(ends(0, 0));
    expect(changed(ends(5, 7), ends(0, 0, 0, 0))).to.deep.equal(ends(0, 0, 0, 0));
    expect(changed(ends(0, 0), ends(0, 0, 0))).to.deep.equal(ends(0, 0, 0));
  });
});
