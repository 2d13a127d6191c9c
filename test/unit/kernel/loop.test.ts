import { expect } from 'chai';
import { createLoop } from '../../../shared/kernel/loop.js';

const FOR_EVER_MS = 3_600_000;
const pace = { idleMinimumMs: FOR_EVER_MS, idleMaximumMs: FOR_EVER_MS, failedMinimumMs: 1, failedMaximumMs: 1 };
const unexpected = (error: unknown): never => {
  throw error;
};

describe('the loop', () => {
  it('goes on at once after a full step and sleeps after an idle one until it is woken', async () => {
    const stop = new AbortController();
    const outcomes = ['full', 'full', 'idle', 'partial', 'idle'] as const;
    let steps = 0;
    const loop = createLoop({
      pace,
      onFailure: unexpected,
      step: async () => {
        const outcome = outcomes[steps] ?? 'idle';
        steps += 1;
        if (outcome !== 'full') setImmediate(() => (steps < outcomes.length ? loop.wake() : stop.abort()));
        return outcome;
      },
    });
    await loop.run(stop.signal);
    expect(steps).to.equal(outcomes.length);
  });

  it('keeps a wake-up that comes during a step', async () => {
    const stop = new AbortController();
    let steps = 0;
    const loop = createLoop({
      pace,
      onFailure: unexpected,
      step: async () => {
        steps += 1;
        if (steps === 1) loop.wake();
        else stop.abort();
        return 'idle';
      },
    });
    await loop.run(stop.signal);
    expect(steps).to.equal(2);
  });

  it('reports a failure with the wait it takes, and tries again', async () => {
    const stop = new AbortController();
    const reported: { readonly message: string; readonly waitMs: number }[] = [];
    const loop = createLoop({
      pace,
      random: () => 0,
      onFailure: (error, waitMs) => reported.push({ message: (error as Error).message, waitMs }),
      step: async () => {
        if (reported.length < 2) throw new Error('not yet');
        stop.abort();
        return 'idle';
      },
    });
    await loop.run(stop.signal);
    expect(reported).to.deep.equal([
      { message: 'not yet', waitMs: 1 },
      { message: 'not yet', waitMs: 1 },
    ]);
  });

  it('does not cut the wait after a failure short when it is woken', async () => {
    const stop = new AbortController();
    const failedAt: number[] = [];
    const slow = { ...pace, failedMinimumMs: 50, failedMaximumMs: 50 };
    const loop = createLoop({
      pace: slow,
      random: () => 1,
      onFailure: () => {
        failedAt.push(performance.now());
        setImmediate(() => loop.wake());
      },
      step: async () => {
        if (failedAt.length === 0) throw new Error('not yet');
        expect(performance.now() - (failedAt[0] ?? 0)).to.be.greaterThan(40);
        stop.abort();
        return 'idle';
      },
    });
    await loop.run(stop.signal);
    expect(failedAt).to.have.length(1);
  });

  it('drains until a step finds nothing', async () => {
    const outcomes = ['full', 'partial', 'idle'] as const;
    let steps = 0;
    const loop = createLoop({ pace, onFailure: unexpected, step: async () => outcomes[steps++] ?? 'idle' });
    await loop.drain(new AbortController().signal);
    expect(steps).to.equal(3);
  });
});
