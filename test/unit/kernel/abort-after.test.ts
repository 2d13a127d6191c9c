import { expect } from 'chai';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { abortAfter } from '../../../shared/kernel/abort-after.js';
import { until } from '../../support/until.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a signal that ends after a time', () => {
  it('is aborted then, though nobody holds anything but the signal and garbage is collected meanwhile', async () => {
    const ended = abortAfter(50, new AbortController().signal);
    const began = performance.now();
    await until('the time is over', () => {
      collectGarbage();
      return ended.aborted;
    });
    expect(performance.now() - began).to.be.at.least(45);
    expect(ended.reason).to.include({ name: 'TimeoutError' });
  });

  it('tells those who listen, though nobody holds the signal', async () => {
    let isTold = false;
    (() =>
      abortAfter(50, new AbortController().signal).addEventListener('abort', () => {
        isTold = true;
      }))();
    await until('they are told', () => {
      collectGarbage();
      return isTold;
    });
  });

  it('is aborted with the other, with its reason', () => {
    const other = new AbortController();
    const ended = abortAfter(60_000, other.signal);
    other.abort('hung up');
    expect(ended.reason).to.equal('hung up');
    expect(abortAfter(60_000, AbortSignal.abort('gone')).aborted).to.equal(true);
  });
});
