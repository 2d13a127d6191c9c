import { expect } from 'chai';
import { createSerialQueue } from '../../../../shared/kernel/concurrency/serial-queue.js';

describe('serial queue', () => {
  it('runs one piece of work at a time, in the order of the calls', async () => {
    const inTurn = createSerialQueue();
    const steps: string[] = [];
    const work = (name: string) => async (): Promise<string> => {
      steps.push(`${name} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([inTurn(work('a')), inTurn(work('b'))])).to.deep.equal(['a', 'b']);
    expect(steps).to.deep.equal(['a starts', 'a ends', 'b starts', 'b ends']);
  });

  it('reports a failure to its own caller and runs the work behind it', async () => {
    const inTurn = createSerialQueue();
    const outcomes = await Promise.allSettled([
      inTurn(() => Promise.reject(new Error('broken'))),
      inTurn(async () => 1),
    ]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
  });
});
