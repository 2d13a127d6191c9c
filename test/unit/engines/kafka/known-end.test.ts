import { expect } from 'chai';
import { knownEndHeader, provesLoss } from '../../../../shared/engines/kafka/known-end.js';

describe('provesLoss', () => {
  it('is true for a record below the end that the relay knew', () => {
    const headers = { 'known-end': Buffer.from(String(knownEndHeader(100n)['known-end'])) };
    expect(provesLoss({ offset: '99', headers })).to.equal(true);
    expect(provesLoss({ offset: '100', headers })).to.equal(false);
    expect(provesLoss({ offset: '101', headers })).to.equal(false);
  });

  it('is false for a record without a readable known end', () => {
    expect(provesLoss({ offset: '0' })).to.equal(false);
    for (const text of ['', '-1', 'x', '1.5', '9'.repeat(40)])
      expect(provesLoss({ offset: '0', headers: { 'known-end': Buffer.from(text) } })).to.equal(false);
  });
});
