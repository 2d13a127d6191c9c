import { expect } from 'chai';
import { pollUntil } from '../../../../shared/kernel/concurrency/poll-until.js';
import { rejection } from '../../../support/checks/rejection.js';

const never = new AbortController().signal;

describe('pollUntil', () => {
  it('resolves when the condition holds', async () => {
    let calls = 0;
    await pollUntil(async () => ++calls === 3, { everyMs: 1, signal: never });
    expect(calls).to.equal(3);
  });

  it('rejects with the first failure of the condition', async () => {
    let calls = 0;
    const failing = async (): Promise<boolean> => {
      throw new Error(`call ${++calls}`);
    };
    expect(await rejection(pollUntil(failing, { everyMs: 1, signal: never }))).to.include({ message: 'call 1' });
  });

  it('rejects when the signal is aborted during a wait', async () => {
    const stop = new AbortController();
    const polling = pollUntil(async () => false, { everyMs: 60_000, signal: stop.signal });
    stop.abort();
    expect(await rejection(polling)).to.include({ name: 'AbortError' });
  });

  it('calls the condition once when the signal is already aborted', async () => {
    let calls = 0;
    const polling = pollUntil(async () => ++calls > 1, { everyMs: 1, signal: AbortSignal.abort() });
    expect(await rejection(polling)).to.include({ name: 'AbortError' });
    expect(calls).to.equal(1);
  });
});
