import { expect } from 'chai';
import { shareRuns } from '../../../../shared/kernel/concurrency/share-runs.js';

/** Work that ends when the test says so, and counts its runs. */
function controlled() {
  const ends: ((error?: Error) => void)[] = [];
  const work = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const run = ends.length + 1;
      ends.push((error) => (error === undefined ? resolve(run) : reject(error)));
    });
  return { ends, work };
}

const settle = () => new Promise(setImmediate);

describe('shareRuns', () => {
  it('runs once for a caller, and again for the next one', async () => {
    const { ends, work } = controlled();
    const call = shareRuns(work);
    for (const run of [1, 2]) {
      const outcome = call();
      ends[run - 1]?.();
      expect(await outcome).to.equal(run);
      await settle();
    }
  });

  it('gives callers that come during a run the next one, which they share', async () => {
    const { ends, work } = controlled();
    const call = shareRuns(work);
    const outcomes = [call(), call(), call()];
    await settle();
    expect(ends).to.have.length(1);
    ends[0]?.();
    await settle();
    expect(ends).to.have.length(2);
    outcomes.push(call());
    ends[1]?.();
    await settle();
    ends[2]?.();
    expect(await Promise.all(outcomes)).to.deep.equal([1, 2, 2, 3]);
  });

  it('runs again after a failure, which all callers of the run get', async () => {
    const { ends, work } = controlled();
    const call = shareRuns(work);
    const outcomes = [call(), call(), call()].map((outcome) => outcome.catch((error: Error) => error.message));
    ends[0]?.(new Error('first'));
    await settle();
    ends[1]?.(new Error('second'));
    expect(await Promise.all(outcomes)).to.deep.equal(['first', 'second', 'second']);
    await settle();
    const last = call();
    ends[2]?.();
    expect(await last).to.equal(3);
  });
});
