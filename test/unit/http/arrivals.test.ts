import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { ADMISSION_LIMITS, createAdmission } from '../../../shared/http/admission.js';
import { createArrivals } from '../../../shared/http/arrivals.js';
import { NO_METRICS } from '../../../shared/kernel/metrics/metrics.js';

const { signal } = new AbortController();

describe('arrivals of connections', () => {
  it('are a burst until a turn of the event loop has none', async () => {
    const arrivals = createArrivals();
    let ends = 0;
    arrivals.onEnd(() => (ends += 1));
    arrivals.onConnection();
    for (let turn = 0; turn < 5; turn += 1) {
      expect([arrivals.isBurst(), ends]).to.deep.equal([true, 0]);
      await nextTurn();
      arrivals.onConnection();
    }
    await nextTurn();
    await nextTurn();
    await nextTurn();
    expect([arrivals.isBurst(), ends]).to.deep.equal([false, 1]);
  });

  it('let no work begin in a burst; afterwards each caller has a turn', async () => {
    const arrivals = createArrivals();
    const admit = createAdmission(NO_METRICS, { ...ADMISSION_LIMITS, lightCapacity: 10, cores: 1 }, arrivals);
    const begun: string[] = [];
    const send = (caller: string): void =>
      void admit({ caller, units: 10, signal }).then((end) => {
        begun.push(caller);
        end();
      });
    arrivals.onConnection();
    ['many', 'many', 'many', 'one'].forEach(send);
    await Promise.resolve();
    expect(begun).to.deep.equal([]);
    while (arrivals.isBurst()) await nextTurn();
    while (begun.length < 4) await nextTurn();
    expect(begun).to.deep.equal(['many', 'one', 'many', 'many']);
  });
});
