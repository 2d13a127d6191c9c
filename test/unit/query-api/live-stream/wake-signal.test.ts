import { expect } from 'chai';
import { createWakeSignal } from '../../../../query-api/live-stream/serve-watcher.js';

describe('wake signal', () => {
  it('wakes a waiting caller and keeps one wake-up for a later one', async () => {
    const { wake, wait } = createWakeSignal();
    const waiting = wait(60_000);
    wake();
    expect(await waiting).to.equal('woken');
    wake();
    wake();
    expect([await wait(60_000), await wait(1)]).to.deep.equal(['woken', 'timeout']);
  });
});
