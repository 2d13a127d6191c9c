import { expect } from 'chai';
import { type Failure, failureAnswer } from '../../../deploy/mcp/failure-answer.js';

const refused = (status: number, message: string): Failure => ({
  kind: 'refused',
  status,
  message,
  field: null,
  effect: 'none',
});
const unavailable = (status: number | null, message: string): Failure => ({
  kind: 'unavailable',
  status,
  message,
  hasEnvelope: status !== null,
  effect: 'unknown',
});

/** The name of the failure, the failure, and a part of the advice. */
const CASES: readonly (readonly [string, Failure, RegExp])[] = [
  [
    'a service that is down',
    unavailable(null, 'The service at http://x cannot be reached (connect ECONNREFUSED)'),
    /check_database_health.*AUTOMEM_API_URL/u,
  ],
  [
    'a service that is slow',
    unavailable(null, 'The service at http://x did not answer in time'),
    /check_database_health.*AUTOMEM_API_URL/u,
  ],
  ['a missing or wrong key', refused(401, 'Unauthorized'), /AUTOMEM_API_KEY.*`env`.*Bearer/u],
  ['a key without permission', refused(403, 'Forbidden'), /does not allow.*AUTOMEM_API_KEY/u],
  ['a missing memory', refused(404, 'Memory not found'), /recall_memory/u],
  ['a contended memory', refused(409, 'Conflict'), /Read it with recall_memory/u],
  ['a memory that has changed', refused(412, 'The memory is at revision 3'), /changed by another client/u],
  ['wrong arguments', refused(422, 'Idempotency-Key was used with another request'), /correct what the message names/u],
  ['a bad argument', refused(400, "'importance' must be between 0 and 1"), /correct what the message names/u],
  ['a call that is too large', refused(413, 'Too large'), /fewer memories/u],
  ['a call that is too long', refused(414, 'Too long'), /fewer tags/u],
  ['too many calls', refused(429, 'HTTP 429'), /wait a little/u],
  ['a fault of the service', unavailable(500, 'Internal server error'), /not in your arguments.*log/u],
  ['a store that does not answer', unavailable(503, 'Graph database unavailable'), /check_database_health says which/u],
  ['truncated JSON', { kind: 'unreadable', status: 200, message: 'Invalid JSON response (200)' }, /AUTOMEM_API_URL/u],
];

describe('failure answer', () => {
  for (const [what, failure, next] of CASES) {
    it(`gives the reason, then advice, for ${what}`, () => {
      const {
        text: [text = ''],
        isError,
      } = failureAnswer(failure);

      expect(isError).to.equal(true);
      expect(text.startsWith(`Error: ${failure.message}\n`), text).to.equal(true);
      expect(text.split('\n').at(-1)).to.match(next);
    });
  }

  const written = ({ effect, ...failure }: Failure, known?: 'none' | 'unknown') =>
    failureAnswer({ ...failure, ...(known ? { effect: known } : {}) } as Failure).text[0];

  it('says whether a write happened, for calls that write', () => {
    const failure = unavailable(503, 'x');

    expect(written(failure, 'none')).to.include('Nothing was written.');
    expect(written(failure, 'unknown')).to.include('It may have been carried out').and.include('does no harm');
    expect(written(failure)).not.to.match(/written|carried out/u);
  });

  it('takes the advice of the tool where a repeat would do harm', () => {
    expect(failureAnswer(unavailable(503, 'x'), { unknown: 'Look first.' }).text[0])
      .to.include('\nLook first.\n')
      .and.not.include('no harm');
  });

  it('gives no advice for a cancelled call', () => {
    expect(
      failureAnswer({ kind: 'cancelled', status: null, message: 'The call was cancelled', effect: 'none' }).text,
    ).to.deep.equal(['Error: The call was cancelled\nNothing was written.']);
  });
});
