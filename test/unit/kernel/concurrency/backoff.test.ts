import { expect } from 'chai';
import { delayMs, type Pace } from '../../../../shared/kernel/concurrency/backoff.js';

const pace: Pace = { idleMinimumMs: 10, idleMaximumMs: 100, failedMinimumMs: 50, failedMaximumMs: 400 };
const idle = (repeats: number): number => delayMs(pace, { kind: 'idle' }, { repeats, random: 0 });
const failed = (repeats: number, random: number): number =>
  delayMs(pace, { kind: 'failed', retryAfterSeconds: null }, { repeats, random });

describe('delayMs', () => {
  it('is zero after a full batch and the idle minimum after a partial one', () => {
    expect(delayMs(pace, { kind: 'full' }, { repeats: 9, random: 0 })).to.equal(0);
    expect(delayMs(pace, { kind: 'partial' }, { repeats: 9, random: 0 })).to.equal(10);
  });

  it('doubles while idle, up to its ceiling', () => {
    expect([1, 2, 3, 4, 5, 60].map(idle)).to.deep.equal([10, 20, 40, 80, 100, 100]);
  });

  it('doubles while failing, with jitter between half the delay and the full delay', () => {
    expect([1, 2, 3, 4, 90].map((repeats) => failed(repeats, 0))).to.deep.equal([25, 50, 100, 200, 200]);
    expect(failed(4, 0.999)).to.be.within(399, 400);
  });

  it('obeys the retry time of the failure', () => {
    expect(delayMs(pace, { kind: 'failed', retryAfterSeconds: 7 }, { repeats: 1, random: 0.5 })).to.equal(7_000);
  });
});
