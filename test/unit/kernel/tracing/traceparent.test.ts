import { expect } from 'chai';
import {
  formatTraceparent,
  parseTraceparent,
  readTraceparent,
  traceIdOf,
} from '../../../../shared/kernel/tracing/traceparent.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const VALID = `00-${TRACE_ID}-${SPAN_ID}-01`;

const INVALID: readonly (readonly [string, string])[] = [
  ['an empty text', ''],
  ['other words', 'nonsense'],
  ['version ff', `ff-${TRACE_ID}-${SPAN_ID}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
  ['a span id of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
  ['upper case', VALID.toUpperCase()],
  ['a short trace id', `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`],
  ['a missing part', `00-${TRACE_ID}-${SPAN_ID}`],
  ['a further part', `${VALID}-00`],
  ['a line break at its end', `${VALID}\n`],
];

describe('traceparent', () => {
  it('is read with its ids and flags, and written unchanged', () => {
    const parsed = parseTraceparent(VALID);
    expect(parsed).to.deep.equal({ traceId: TRACE_ID, spanId: SPAN_ID, traceFlags: 1, isRemote: true });
    expect(parsed && formatTraceparent(parsed)).to.equal(VALID);
  });

  it('keeps the flag of a trace that is not sampled', () => {
    const text = `00-${TRACE_ID}-${SPAN_ID}-00`;
    const parsed = parseTraceparent(text);
    expect(parsed && formatTraceparent(parsed)).to.equal(text);
  });

  for (const [name, text] of INVALID) {
    it(`counts ${name} as absent`, () => {
      expect([parseTraceparent(text), readTraceparent(text), traceIdOf(text)]).to.deep.equal([null, null, null]);
    });
  }

  it('is absent without a header', () => {
    expect([parseTraceparent(undefined), parseTraceparent(null), readTraceparent(undefined)]).to.deep.equal([
      null,
      null,
      null,
    ]);
  });

  it('gives the id of its trace', () => expect(traceIdOf(VALID)).to.equal(TRACE_ID));
});
