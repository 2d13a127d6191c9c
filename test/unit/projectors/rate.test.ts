import { expect } from 'chai';
import { createRate } from '../../../projectors/rate.js';

describe('createRate', () => {
  it('averages over the elapsed time, at most one minute', () => {
    let now = 1_000;
    const rate = createRate(() => now);
    expect(rate.perSecond()).to.equal(0);
    rate.add(100);
    expect(rate.perSecond(), 'as over five seconds, so that a first batch is no thousand a second').to.equal(20);
    now += 10_000;
    expect(rate.perSecond()).to.equal(10);
    now += 40_000;
    rate.add(100);
    expect(rate.perSecond()).to.equal(4);
    now += 20_000;
    expect(rate.perSecond(), 'the first hundred are forgotten').to.equal(1.7);
    now += 120_000;
    expect(rate.perSecond()).to.equal(0);
  });
});
