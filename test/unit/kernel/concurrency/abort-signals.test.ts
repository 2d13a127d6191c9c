import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { abortAfter } from '../../../../shared/kernel/concurrency/abort-signals.js';
import { until } from '../../../support/checks/until.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('abortAfter', () => {
  it('aborts after garbage collection when only the signal is referenced', async () => {
    const ended = abortAfter(50, new AbortController().signal);
    const began = performance.now();
    await until('the time is over', () => {
      collectGarbage();
      return ended.aborted;
    });
    expect(performance.now() - began).to.be.at.least(45);
    expect(ended.reason).to.include({ name: 'TimeoutError' });
  });

  it('calls its listeners when the signal is not referenced', async () => {
    let wasCalled = false;
    (() =>
      abortAfter(50, new AbortController().signal).addEventListener('abort', () => {
        wasCalled = true;
      }))();
    await until('the listeners are called', () => {
      collectGarbage();
      return wasCalled;
    });
  });

  it('aborts with the other signal and its reason', () => {
    const other = new AbortController();
    const ended = abortAfter(60_000, other.signal);
    other.abort('hung up');
    expect(ended.reason).to.equal('hung up');
    expect(abortAfter(60_000, AbortSignal.abort('gone')).aborted).to.equal(true);
  });
});
