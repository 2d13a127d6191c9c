import { expect } from 'chai';
import { mapConcurrently } from '../../../../shared/kernel/concurrency/map-concurrently.js';
import { rejection } from '../../../support/checks/rejection.js';

describe('mapConcurrently', () => {
  it('limits the running calls and returns results in order', async () => {
    let [running, most] = [0, 0];
    const results = await mapConcurrently([5, 1, 3, 2, 4], 2, async (turns) => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      running -= 1;
      return turns * 10;
    });
    expect(results).to.deep.equal([50, 10, 30, 20, 40]);
    expect(most).to.equal(2);
  });

  it('rejects with the first failure', async () => {
    expect(
      await rejection(
        mapConcurrently([1, 2], 2, async (item) => {
          throw new Error(`of ${item}`);
        }),
      ),
    ).to.include({ message: 'of 1' });
  });

  it('returns an empty list for no items', async () => {
    expect(await mapConcurrently([], 4, async () => 1)).to.deep.equal([]);
  });
});
