import { expect } from 'chai';
import { createCursors, CURSOR_PATTERN } from '../../../../shared/http/request/cursors.js';
import { ValidationError } from '../../../../shared/kernel/errors.js';

const IDENTITY = '6c1f09b2-9a53-4a6e-8f6c-3f6f1d7a0b11';
const FIELD = { name: 'after', advice: 'start again' };

describe('cursors', () => {
  const { cursorOf, positionOf } = createCursors(() => IDENTITY);

  it('name the history and the position', () => {
    expect(cursorOf(12)).to.equal('6c1f09b2.12');
    expect(positionOf(cursorOf(12), FIELD)).to.equal(12);
  });

  it('are accepted as plain numbers too', () => {
    expect(['0', '12', '9007199254740991'].map((text) => positionOf(text, FIELD))).to.deep.equal([
      0,
      12,
      Number.MAX_SAFE_INTEGER,
    ]);
  });

  it('of another history are refused with the field and the advice', () => {
    expect(() => positionOf('00000000.12', FIELD))
      .to.throw(ValidationError, "'after' belongs to another history of this service: start again")
      .with.property('field', 'after');
  });

  it('have one form and a bounded length', () => {
    const wrong = ['', 'x', '-1', '1.5', '.1', '6c1f09b2', '6c1f09b2.', '6C1F09B2.1', '6c1f09b.1', '6c1f09b2.1.1'];
    for (const text of [...wrong, '9007199254740993', '9'.repeat(17), `6c1f09b2.${'0'.repeat(17)}`])
      expect(positionOf(text, FIELD), text).to.equal(null);
    for (const text of wrong) expect(new RegExp(CURSOR_PATTERN, 'u').test(text), text).to.equal(false);
  });

  it('are plain numbers of any history while the identity is not known', () => {
    const unknown = createCursors(() => null);
    expect(unknown.cursorOf(12)).to.equal('12');
    expect(unknown.positionOf('6c1f09b2.12', FIELD)).to.equal(12);
  });
});
