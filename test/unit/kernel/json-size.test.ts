import { expect } from 'chai';
import fc from 'fast-check';
import { jsonBytesAtMost } from '../../../shared/kernel/json-size.js';

describe('jsonBytesAtMost', () => {
  it('is at least the size of the JSON text', () => {
    const text = fc.string({ unit: 'binary' });
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const value = fc.letrec((tie) => ({
      value: fc.oneof(text, number, fc.constant(null), fc.boolean(), fc.array(tie('value')), fc.dictionary(text, tie('value'))),
    })).value; // prettier-ignore
    fc.assert(
      fc.property(
        value,
        (given) => void expect(jsonBytesAtMost(given)).to.be.at.least(Buffer.byteLength(JSON.stringify(given))),
      ),
      { seed: 15 },
    );
  });

  it('reads the length of a text, not its characters', () => {
    expect(jsonBytesAtMost('x'.repeat(100))).to.equal(603);
    expect(jsonBytesAtMost({ a: ['\u0001'] })).to.be.at.least(14);
  });
});
