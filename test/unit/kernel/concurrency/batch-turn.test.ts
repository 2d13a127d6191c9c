import { expect } from 'chai';
import { batchTurn } from '../../../../shared/kernel/concurrency/batch-turn.js';
import { rejection } from '../../../support/checks/rejection.js';

describe('batchTurn', () => {
  it('makes one call of the calls of a turn, and another one beyond the limit', async () => {
    const calls: (readonly number[])[] = [];
    const double = batchTurn<number, number>({
      limit: 2,
      run: async (items) => {
        calls.push(items);
        return items.map((item) => item * 2);
      },
    });
    expect(await Promise.all([1, 2, 3].map(double))).to.deep.equal([2, 4, 6]);
    expect(await double(4)).to.equal(8);
    expect(calls).to.deep.equal([[1, 2], [3], [4]]);
  });

  it('rejects every item of a failed call, and no other', async () => {
    const failing = batchTurn<number, number>({
      limit: 2,
      run: async (items) => {
        if (items.includes(1)) throw new TypeError('no');
        return items;
      },
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map(failing));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'fulfilled']);
  });

  it('rejects when a call returns too few results', async () => {
    const short = batchTurn<number, number>({ limit: 2, run: async () => [] });
    expect(await rejection(short(1)))
      .to.have.property('message')
      .that.includes('1 items returned 0 results');
  });
});
