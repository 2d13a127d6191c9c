import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { aborted, withAnySignal, withTimeoutSignal } from '../../../../shared/kernel/concurrency/abort-signals.js';
import { until } from '../../../support/checks/until.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Polls with garbage collections, because a collector may take away what a signal depends on. */
function untilCollected(name: string, condition: () => boolean): Promise<boolean> {
  return until(name, () => {
    collectGarbage();
    return condition();
  });
}

describe('withTimeoutSignal', () => {
  it('aborts after garbage collections when the signal has no listener', async () => {
    const began = performance.now();
    const reason = await withTimeoutSignal(50, [new AbortController().signal], async (ended) => {
      await untilCollected('the time is over', () => ended.aborted);
      return ended.reason as unknown;
    });
    expect(performance.now() - began).to.be.at.least(45);
    expect(reason).to.include({ name: 'TimeoutError' });
  });

  it('calls listeners after garbage collections when nothing holds the signal', async () => {
    let wasCalled = false;
    const ended = withTimeoutSignal(50, [new AbortController().signal], aborted).then(() => (wasCalled = true));
    await untilCollected('the listener is called', () => wasCalled);
    await ended;
  });

  it('aborts with the reason of a source that ends first', async () => {
    const source = new AbortController();
    const reason = await withTimeoutSignal(60_000, [undefined, source.signal], async (ended) => {
      source.abort('hung up');
      return ended.reason as unknown;
    });
    expect(reason).to.equal('hung up');
  });

  it('clears its timer when the work ends or fails', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const failed = await withTimeoutSignal(60_000, [], () => Promise.reject(new Error())).catch(timers);
    const running = await withTimeoutSignal(60_000, [], async () => timers());
    expect({ failed, ended: timers() }).to.deep.equal({ failed: running - 1, ended: running - 1 });
  });
});

describe('withAnySignal', () => {
  it('aborts after garbage collections when the signal has no listener', async () => {
    const source = new AbortController();
    await withAnySignal([new AbortController().signal, source.signal], async (ended) => {
      collectGarbage();
      expect(ended.aborted).to.equal(false);
      source.abort('lost');
      collectGarbage();
      expect(ended).to.include({ aborted: true, reason: 'lost' });
    });
  });

  it('is aborted from the start by a source that is aborted', async () => {
    const reason = await withAnySignal([AbortSignal.abort('gone')], async (ended) => ended.reason as unknown);
    expect(reason).to.equal('gone');
  });

  it('leaves no listener at a source that outlives many works', async () => {
    const shutdown = new AbortController();
    const listeners = () => getEventListeners(shutdown.signal, 'abort').length;
    for (let call = 0; call < 20; call += 1) {
      await withAnySignal([shutdown.signal], async () => expect(listeners()).to.equal(1));
      await withTimeoutSignal(60_000, [shutdown.signal], () => Promise.reject(new Error())).catch(() => undefined);
    }
    expect(listeners()).to.equal(0);
  });
});
