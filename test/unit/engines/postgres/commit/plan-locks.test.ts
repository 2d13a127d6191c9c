import { expect } from 'chai';
import { planLocks } from '../../../../../shared/engines/postgres/commit/plan-locks.js';
import { command, prepared } from '../../../../support/adapters/committers.js';
import { associated, deleted, numberedId, stored } from '../../../../support/fixtures/events.js';

const key = { key: 'k', requestHash: 'one body' };

describe('planLocks', () => {
  it('locks each subject with the strongest mode that any command needs', () => {
    const associating = command([associated(1, 2), associated(2, 3, { version: 4 })], {
      requires: [numberedId(5)],
      unchanged: [{ subject: numberedId(6), version: 1 }],
    });
    const { requests, keys, deleting } = planLocks(
      [command([stored(1)], { key }), associating, command([deleted(3, 2)])].map(prepared),
    );
    expect(new Map(requests.map(({ subject, hold }) => [subject, hold]))).to.deep.equal(
      new Map([
        [numberedId(1), 'fresh'],
        [numberedId(5), 'keep'],
        [numberedId(6), 'keep'],
        [associated(1, 2).subject, 'fresh'],
        [numberedId(2), 'keep'],
        [associated(2, 3).subject, 'change'],
        [numberedId(3), 'change'],
      ]),
    );
    expect(keys).to.deep.equal(['k']);
    expect(deleting).to.deep.equal([numberedId(3)]);
  });
});
