import { expect } from 'chai';
import { createLoop } from '../../../../shared/kernel/concurrency/loop.js';

const ONE_HOUR_MS = 3_600_000;
const pace = { idleMinimumMs: ONE_HOUR_MS, idleMaximumMs: ONE_HOUR_MS, failedMinimumMs: 1, failedMaximumMs: 1 };
const unexpected = (error: unknown): never => {
  throw error;
};

describe('loop', () => {
  it('continues immediately after a full step and waits after an idle one until it is woken', async () => {
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

  it('reports a failure with its wait and repeats the step', async () => {
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

  it('keeps the wait after a failure when it is woken', async () => {
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

  it('drains until a step is idle', async () => {
    const outcomes = ['full', 'partial', 'idle'] as const;
    let steps = 0;
    const loop = createLoop({ pace, onFailure: unexpected, step: async () => outcomes[steps++] ?? 'idle' });
    await loop.drain(new AbortController().signal);
    expect(steps).to.equal(3);
  });
});
